import type { ParsedQuery } from '#kernel/search/keyword/query/parse-query.ts';
import type { StemOf } from '#kernel/search/stemmer.ts';
import { scanTokens } from '#kernel/text/tokens.ts';
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
  /** Not what the root of a package exports: a smaller variant, its core, its helpers. */
  inner: 0.4,
  /** Of an earlier major version than the one that was ingested. */
  earlier: 0.2,
  /** Names that are not meant for users: `_parse`, `$ZodTypeInternals`. */
  internal: 0.4,
  /** A declaration is mostly its name: so much remains if the query has nothing of it. */
  unnamed: 0.6,
  /** What is called or created comes before the types of its arguments and results. */
  type: 0.65,
} as const;

const declarations = /\.d\.[mc]?ts$/i;
const changelog = /(?:^|\/)(?:changelog|changes|history|releases?|governance|sponsors?|contributing)[^/]*$/i;
const innerFolder = /^(?:core|mini|internals?|legacy|deprecated|compat|adapters?|utils?|locales?)$/i;
const innerFile = /(?:^|\/)(?:internals?|legacy|deprecated|compat|utils?|helpers?)\.d\.[mc]?ts$/i;
const versionFolder = /^v(\d+)$/i;
const internalName = /^[_$]|Internals?$/;
const typeName = /^[A-Z]/;

const isEarlier = (folder: string, major: number): boolean => Number(versionFolder.exec(folder)?.[1]) < major;

/** Whether the prior depends on the title too. */
export const needsTitle = (id: string): boolean => declarations.test(parseSectionId(id)?.path ?? '');

/** The share of a name's words that the query has, such as 1/2 of `setCookie` for a cookie. */
export type NamedShare = (name: string) => number;

export function createNamedShare({ terms }: Pick<ParsedQuery, 'terms'>, stemOf: StemOf): NamedShare {
  const stems = new Set(terms.flatMap(({ kind, key }) => (kind === 'word' ? [key] : [])));
  return (name) => {
    let all = 0;
    let own = 0;
    let isWholeNamed = false;
    scanTokens(name, (word, _position, _start, _end, isWhole) => {
      const isIn = stems.has(stemOf(word));
      if (isWhole) isWholeNamed ||= isIn;
      else {
        all += 1;
        if (isIn) own += 1;
      }
    });
    return isWholeNamed ? 1 : all === 0 ? 0 : own / all;
  };
}

/** Of a section by its id, and for declarations its title: `zod@4.1.0/v4/core/schemas.d.ts#zodtype`, `$ZodType`. */
export function priorOf(id: string, title = '', namedShare: NamedShare = () => 1): number {
  const section = parseSectionId(id);
  if (section === undefined) return 1;
  const { version, path } = section;
  if (!declarations.test(path)) return changelog.test(path) ? factors.changelog : 1;
  const folders = path.split('/').slice(0, -1);
  const major = Number.parseInt(version, 10);
  const name = title.slice(title.lastIndexOf('.') + 1);
  let prior: number = factors.declarations * (factors.unnamed + (1 - factors.unnamed) * namedShare(name));
  if (folders.some((folder) => isEarlier(folder, major))) prior *= factors.earlier;
  else if (innerFile.test(path) || folders.some((folder) => innerFolder.test(folder))) prior *= factors.inner;
  if (internalName.test(name)) return prior * factors.internal;
  return typeName.test(name) ? prior * factors.type : prior;
}
