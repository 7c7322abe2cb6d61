import { basename, dirname, join, relative } from 'node:path';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { type FileSearch, findFiles } from '#kernel/paths/find-files.ts';
import { knowledgeLimits } from '../../knowledge-limits.ts';
import { isLibraryName, isVersion } from '../../libraries/library-version.ts';
import { type Format, formatOf } from '../formats/page-format.ts';
import { resolveAllowedPath } from './allowed-path.ts';
import { createGitignore } from './gitignore.ts';
import {
  guardFolder,
  type PageSource,
  readJsonFile,
  type SkippedPage,
  type SourceAccess,
  toRawPages,
} from './page-source.ts';

export interface PackageNames {
  readonly library: string | undefined;
  readonly version: string | undefined;
}

export function toPackageNames(manifest: Readonly<Record<string, unknown>> | undefined): PackageNames {
  const { name, version } = manifest ?? {};
  return {
    library: typeof name === 'string' && isLibraryName(name) ? name : undefined,
    version: typeof version === 'string' && isVersion(version) ? version : undefined,
  };
}

/** Derives a name from any text, such as a folder name. Undefined if nothing usable is left. */
export function toLibraryName(text: string): string | undefined {
  const name = text
    .replaceAll(/[^\w.-]+/g, '-')
    .replace(/^[._-]+/, '')
    .slice(0, knowledgeLimits.libraryChars);
  return isLibraryName(name) ? name : undefined;
}

/** Folders with generated files or the files of others. */
const excludedFolders: ReadonlySet<string> = new Set(['node_modules', 'bower_components', 'dist', 'coverage']);

export const isDocsFolder = (folder: string): boolean => !folder.startsWith('.') && !excludedFolders.has(folder);

export interface PageFiles {
  readonly files: readonly { readonly path: string; readonly absolute: string; readonly format: Format }[];
  readonly skipped: readonly SkippedPage[];
}

/** Sorted by name. Links are not followed, because they could form a cycle. */
export async function findPages(
  folder: string,
  wanted: Pick<FileSearch<Format>, 'formatOf' | 'isEntered'>,
): Promise<PageFiles> {
  try {
    const { files, skipped } = await findFiles<Format>([folder], {
      formatOf: (path, depth) => (basename(path).startsWith('.') ? undefined : wanted.formatOf(path, depth)),
      namedFormat: () => ({ reason: 'it is not a folder' }),
      isEntered: wanted.isEntered,
      filesCount: knowledgeLimits.pagesCount,
      folderDepth: knowledgeLimits.folderDepth,
    });
    return { files, skipped: skipped.map(({ source, reason }) => ({ path: source, reason })) };
  } catch (error) {
    if (error instanceof Fault) throw error;
    const why = `The folder cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'it failed'}`;
    throw faults.VALIDATION_ERROR({ why }, { field: 'source' }, { cause: error });
  }
}

/** From the package.json of the folder or its parent, or else from the folder name. */
export async function findPackageNames(folder: string, access: SourceAccess): Promise<PackageNames> {
  const inside = toPackageNames(await readJsonFile(guardFolder(folder, access), 'package.json'));
  if (inside.library !== undefined) return inside;
  const around = dirname(folder);
  const isAllowed = around !== folder && (await resolveAllowedPath(around, access)) !== undefined;
  const outside = isAllowed ? toPackageNames(await readJsonFile(guardFolder(around, access), 'package.json')) : inside;
  const name = /^docs?$/i.test(basename(folder)) ? basename(around) : basename(folder);
  return { library: outside.library ?? toLibraryName(name), version: outside.version };
}

/** Relative to the base if the path is below it. */
export function toDisplayPath(path: string, { base }: SourceAccess): string {
  const way = relative(base, path);
  return way === '' ? '.' : way.startsWith('..') ? path : way.split('\\').join('/');
}

async function findUnignored(folder: string): Promise<PageFiles> {
  const ignored = createGitignore(folder);
  let ignoredCount = 0;
  function isIgnored(path: string, isFolder: boolean): boolean {
    const is = ignored.ignores(path, isFolder);
    if (is) ignoredCount += 1;
    return is;
  }
  await ignored.enter('');
  const found = await findPages(folder, {
    formatOf(path) {
      const format = formatOf(path);
      return format === undefined || isIgnored(path, false) ? undefined : format;
    },
    async isEntered(name, path) {
      if (!isDocsFolder(name) || isIgnored(path, true)) return false;
      await ignored.enter(path);
      return true;
    },
  });
  if (found.files.length > 0 || ignoredCount === 0) return found;
  // Explains why nothing was found.
  return { files: [], skipped: [{ path: '.gitignore', reason: 'it excludes all docs' }, ...found.skipped] };
}

export async function openFolder(folder: string, access: SourceAccess): Promise<PageSource> {
  const { files, skipped } = await (access.includesIgnored === true
    ? findPages(folder, { formatOf, isEntered: isDocsFolder })
    : findUnignored(folder));
  const wanted = await toRawPages(files, guardFolder(folder, access));
  const { library, version } = await findPackageNames(folder, access);
  return {
    origin: { kind: 'folder', name: toDisplayPath(folder, access) },
    ...{ library, version, isWhole: true },
    pages: wanted.pages,
    skipped: [...skipped, ...wanted.skipped],
    async close() {},
  };
}

export async function openFile(file: string, access: SourceAccess): Promise<PageSource> {
  const format = formatOf(file);
  if (format === undefined) {
    const why = `${basename(file)} is not a supported format: Markdown, MDX, HTML, plain text, RST, .d.ts, llms.txt or a zip`;
    throw faults.VALIDATION_ERROR({ why }, { field: 'source' });
  }
  const folder = dirname(file);
  const path = basename(file);
  const wanted = await toRawPages([{ path, absolute: join(folder, path), format }], guardFolder(folder, access));
  const { library, version } = await findPackageNames(folder, access);
  return {
    origin: { kind: 'file', name: toDisplayPath(file, access) },
    ...{ library, version, ...wanted, isWhole: true },
    async close() {},
  };
}
