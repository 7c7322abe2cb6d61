import { join } from 'node:path';
import { type Format, formatOf, withoutEnding } from '../formats/page-format.ts';
import { resolveAllowedPath, withParentFolders } from './allowed-path.ts';
import { findPages, type PageFiles, toPackageNames } from './open-folder.ts';
import {
  guardFolder,
  type PageSource,
  readJsonFile,
  type SourceAccess,
  type SourceFile,
  toRawPages,
} from './page-source.ts';

/** The naming rule of the npm registry, so that a name cannot leave `node_modules`. */
const packageName = /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*$/i;

export const isPackageName = (text: string): boolean => packageName.test(text) && !text.includes('..');

/** Their files do not document the package. */
const excludedFolders: ReadonlySet<string> = new Set('node_modules test tests __tests__ fixtures benchmark'.split(' '));

const isEntered = (folder: string): boolean => !folder.startsWith('.') && !excludedFolders.has(folder);

/** HTML and text files outside the docs folder are usually part of the code. */
function packageFormat(path: string): Format | undefined {
  const format = formatOf(path);
  const isDocs = !path.includes('/') || /^docs?\//i.test(path);
  return format === 'plain' || format === 'html' ? (isDocs ? format : undefined) : format;
}

/** Keeps one copy of declarations that exist for several module systems. */
function withoutTwins(files: PageFiles['files']): PageFiles['files'] {
  const plain = new Set(files.filter(({ path }) => /\.d\.ts$/i.test(path)).map(({ path }) => withoutEnding(path)));
  const isTwin = (path: string): boolean => /\.d\.[mc]ts$/i.test(path) && plain.has(withoutEnding(path));
  const depthOf = (path: string): number => path.split('/').length;
  // Of equal copies the first is kept, so the one nearest to the top comes first.
  return files.filter(({ path }) => !isTwin(path)).toSorted((a, b) => depthOf(a.path) - depthOf(b.path));
}

async function findPackage(name: string, access: SourceAccess): Promise<string | undefined> {
  const places = access.roots ?? withParentFolders(access.base);
  for (const place of places) {
    const found = await resolveAllowedPath(join(place, 'node_modules', name), access);
    if (found?.isFolder === true) return found.path;
  }
  return undefined;
}

/** The DefinitelyTyped package. */
const typesName = (name: string): string => `@types/${name.replace('@', '').replace('/', '__')}`;

async function findTypes(name: string, access: SourceAccess): Promise<readonly SourceFile[]> {
  const folder = await findPackage(typesName(name), access);
  if (folder === undefined) return [];
  const { files } = await findPages(folder, {
    formatOf: (path) => (formatOf(path) === 'declarations' ? 'declarations' : undefined),
    isEntered,
  });
  return files.map((file) => ({ ...file, path: `${typesName(name)}/${file.path}` }));
}

/**
 * Reads README, changelog, docs and type declarations of the installed version. Undefined if the package is not
 * installed.
 */
export async function openPackage(name: string, access: SourceAccess): Promise<PageSource | undefined> {
  const folder = isPackageName(name) ? await findPackage(name, access) : undefined;
  if (folder === undefined) return undefined;
  const roots = guardFolder(folder, access);
  const { version } = toPackageNames(await readJsonFile(roots, 'package.json'));
  const { files, skipped } = await findPages(folder, { formatOf: packageFormat, isEntered });
  const own = await toRawPages(withoutTwins(files), roots);
  const hasTypes = own.pages.some(({ format }) => format === 'declarations');
  const types = hasTypes ? [] : await findTypes(name, access);
  const typesFolder = types.length === 0 ? undefined : await findPackage(typesName(name), access);
  const others = typesFolder === undefined ? undefined : await toRawPages(types, guardFolder(typesFolder, access));
  return {
    origin: { kind: 'package', name: `npm:${name}` },
    ...{ library: name, version, isWhole: true },
    pages: [...own.pages, ...(others?.pages ?? [])],
    skipped: [...skipped, ...own.skipped, ...(others?.skipped ?? [])],
    async close() {},
  };
}
