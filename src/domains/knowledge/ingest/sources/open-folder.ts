import { basename, dirname, join, relative } from 'node:path';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { type FileSearch, findFiles } from '#kernel/paths/find-files.ts';
import { knowledgeLimits } from '../../knowledge-limits.ts';
import { type Format, formatOf } from '../formats/format.ts';
import { findAllowed } from './allowed-folder.ts';
import { createIgnoredFiles } from './ignore/ignored-files.ts';
import { type PackageNames, toLibraryName, toPackageNames } from './library-of.ts';
import { guardFolder, readJsonFile, toRawPages } from './read-files.ts';
import type { OpenedSource, Skipped, SourceAccess } from './source.ts';

/** Folders whose files were made from others, or belong to others. */
const passedOver: ReadonlySet<string> = new Set(['node_modules', 'bower_components', 'dist', 'coverage']);

export const isEntered = (folder: string): boolean => !folder.startsWith('.') && !passedOver.has(folder);

export interface FoundPages {
  readonly files: readonly { readonly path: string; readonly absolute: string; readonly format: Format }[];
  readonly skipped: readonly Skipped[];
}

/** Files of a folder in the order of their names. Links are not followed, so that there is no way around in a circle. */
export async function findPages(
  folder: string,
  wanted: Pick<FileSearch<Format>, 'formatOf' | 'isEntered'>,
): Promise<FoundPages> {
  try {
    const { files, skipped } = await findFiles<Format>([folder], {
      formatOf: (path, depth) => (basename(path).startsWith('.') ? undefined : wanted.formatOf(path, depth)),
      namedFormat: () => ({ reason: 'it is no folder' }),
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

/** What the folder, or the one around it, calls itself. */
export async function namesOf(folder: string, access: SourceAccess): Promise<PackageNames> {
  const inside = toPackageNames(await readJsonFile(guardFolder(folder, access), 'package.json'));
  if (inside.library !== undefined) return inside;
  const around = dirname(folder);
  const isAllowed = around !== folder && (await findAllowed(around, access)) !== undefined;
  const outside = isAllowed ? toPackageNames(await readJsonFile(guardFolder(around, access), 'package.json')) : inside;
  const name = /^docs?$/i.test(basename(folder)) ? basename(around) : basename(folder);
  return { library: outside.library ?? toLibraryName(name), version: outside.version };
}

/** How a path is told: from where one stands, if it is below. */
export function toShownPath(path: string, { base }: SourceAccess): string {
  const way = relative(base, path);
  return way === '' ? '.' : way.startsWith('..') ? path : way.split('\\').join('/');
}

/** Without what `.gitignore` files name: it was made from other files, or is nobody else's business. */
async function findUnignored(folder: string): Promise<FoundPages> {
  const ignored = createIgnoredFiles(folder);
  let ignoredCount = 0;
  function isIgnored(path: string, isFolder: boolean): boolean {
    const is = ignored.has(path, isFolder);
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
      if (!isEntered(name) || isIgnored(path, true)) return false;
      await ignored.enter(path);
      return true;
    },
  });
  if (found.files.length > 0 || ignoredCount === 0) return found;
  // Whoever wonders why there is nothing learns it.
  return { files: [], skipped: [{ path: '.gitignore', reason: 'what it leaves holds no docs' }, ...found.skipped] };
}

export async function openFolder(folder: string, access: SourceAccess): Promise<OpenedSource> {
  const { files, skipped } = await (access.takesIgnored === true
    ? findPages(folder, { formatOf, isEntered })
    : findUnignored(folder));
  const wanted = await toRawPages(files, guardFolder(folder, access));
  const { library, version } = await namesOf(folder, access);
  return {
    source: { kind: 'folder', name: toShownPath(folder, access) },
    ...{ library, version, isWhole: true },
    pages: wanted.pages,
    skipped: [...skipped, ...wanted.skipped],
    async close() {},
  };
}

/** One file that is named itself. */
export async function openFile(file: string, access: SourceAccess): Promise<OpenedSource> {
  const format = formatOf(file);
  if (format === undefined) {
    const why = `${basename(file)} is nothing that is read as docs: Markdown, MDX, HTML, plain text, RST, .d.ts, llms.txt or a zip`;
    throw faults.VALIDATION_ERROR({ why }, { field: 'source' });
  }
  const folder = dirname(file);
  const path = basename(file);
  const wanted = await toRawPages([{ path, absolute: join(folder, path), format }], guardFolder(folder, access));
  const { library, version } = await namesOf(folder, access);
  return {
    source: { kind: 'file', name: toShownPath(file, access) },
    ...{ library, version, ...wanted, isWhole: true },
    async close() {},
  };
}
