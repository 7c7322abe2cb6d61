import { parseSectionId } from '../libraries/library-version.ts';

/**
 * How likely a section is the answer before any query is known, from 0 to 1. A score is multiplied by it. The shipped
 * base consists of prose, and so do most pages; the factors below are for the rest, and were measured with the
 * questions on package docs in bench/judged.
 */
const factors = {
  /** Prose explains; a declaration only names. */
  declarations: 0.6,
  /** Says what a release changed, not how a thing is used. */
  changelog: 0.6,
  /** Not what the root of a package exports: an earlier major version, a smaller variant, its core. */
  inner: 0.4,
  /** Names that are not meant for users: `_parse`, `$ZodTypeInternals`. */
  internal: 0.4,
  /** What is called or created comes before the types of its arguments and results. */
  type: 0.65,
} as const;

const declarations = /\.d\.[mc]?ts$/i;
const changelog = /(?:^|\/)(?:changelog|changes|history|releases?|governance|sponsors?|contributing)[^/]*$/i;
const innerFolder = /^(?:core|mini|internals?|legacy|deprecated|compat|adapters?|utils?|locales?)$/i;
const versionFolder = /^v(\d+)$/i;
const internalName = /^[_$]|Internals?$/;
const typeName = /^[A-Z]/;

function isInnerFolder(folder: string, major: number): boolean {
  const [, number] = versionFolder.exec(folder) ?? [];
  return number === undefined ? innerFolder.test(folder) : Number(number) < major;
}

/** Whether the prior depends on the title too. */
export const needsTitle = (id: string): boolean => declarations.test(parseSectionId(id)?.path ?? '');

/** Of a section by its id, and for declarations its title: `zod@4.1.0/v4/core/schemas.d.ts#zodtype`, `$ZodType`. */
export function priorOf(id: string, title = ''): number {
  const section = parseSectionId(id);
  if (section === undefined) return 1;
  const { version, path } = section;
  if (!declarations.test(path)) return changelog.test(path) ? factors.changelog : 1;
  const folders = path.split('/').slice(0, -1);
  const major = Number.parseInt(version, 10);
  const name = title.slice(title.lastIndexOf('.') + 1);
  let prior: number = factors.declarations;
  if (folders.some((folder) => isInnerFolder(folder, major))) prior *= factors.inner;
  if (internalName.test(name)) return prior * factors.internal;
  return typeName.test(name) ? prior * factors.type : prior;
}
