import { constants } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { faults } from '../fault/kernel-faults.ts';

/** A file that was named, or that is in a named folder. */
export interface NamedFile<Format> {
  /** Relative to the named folder, parts joined by `/`; the bare name of a file that was named itself. */
  readonly path: string;
  readonly absolute: string;
  readonly format: Format;
}

/** A named path without a usable file. */
export interface SkippedFile {
  readonly source: string;
  readonly reason: string;
}

export interface FileSearch<Format> {
  /** For a file in a folder; `depth` is 0 in the named folder itself. Undefined: unwanted, and not reported. */
  formatOf(path: string, depth: number): Format | undefined;
  /** For a file that was named itself; a text is the reason to skip it. */
  namedFormat(path: string): Format | { readonly reason: string };
  /** The file name, or the path relative to the named folder. */
  isEntered(folder: string, path: string): boolean | Promise<boolean>;
  readonly filesCount: number;
  readonly folderDepth: number;
}

export interface FileListing<Format> {
  readonly files: readonly NamedFile<Format>[];
  readonly skipped: readonly SkippedFile[];
}

/** Each file once, sorted by name; a link is followed only if it was named itself. */
export async function findFiles<Format extends string>(
  paths: readonly string[],
  search: FileSearch<Format>,
): Promise<FileListing<Format>> {
  const { filesCount, folderDepth } = search;
  const files = new Map<string, NamedFile<Format>>();
  const skipped: SkippedFile[] = [];

  function take(file: NamedFile<Format>): void {
    if (files.has(file.absolute)) return;
    if (files.size >= filesCount) {
      throw faults.RESOURCE_LIMIT({ what: 'What was named', limit: filesCount, unit: 'files' });
    }
    files.set(file.absolute, file);
  }

  async function walk(root: string, below: string, depth: number): Promise<void> {
    const entries = await readdir(join(root, below), { withFileTypes: true }).catch((error: unknown) => {
      if (below === '') throw error;
      // A folder without permission, or one deleted meanwhile, does not stop the others.
      skipped.push({ source: below, reason: 'it cannot be opened' });
      return [];
    });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) {
        if (depth < folderDepth && (await search.isEntered(entry.name, path))) await walk(root, path, depth + 1);
        continue;
      }
      const format = search.formatOf(path, depth);
      if (format === undefined) continue;
      if (entry.isFile()) take({ path, absolute: join(root, path), format });
      else skipped.push({ source: path, reason: 'it is a link or no plain file' });
    }
  }

  for (const path of paths) {
    const absolute = resolve(path);
    const facts = await stat(absolute).catch(() => undefined);
    if (facts === undefined) throw faults.NOT_FOUND({ what: path }, { fix: 'Name existing files or folders.' });
    if (facts.isDirectory()) await walk(absolute, '', 0);
    else if (facts.isFile()) {
      const format = search.namedFormat(absolute);
      if (typeof format === 'string') take({ path: basename(absolute), absolute, format });
      else skipped.push({ source: basename(absolute), ...format });
    } else skipped.push({ source: path, reason: 'it is not a regular file' });
  }
  return { files: [...files.values()], skipped };
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text, or the reason for its absence. Opened without blocking, so that a FIFO cannot hold it up. */
export async function readTextFile(
  { path, absolute }: Pick<NamedFile<string>, 'path' | 'absolute'>,
  bytesMax: number,
): Promise<string | SkippedFile> {
  const skip = (reason: string): SkippedFile => ({ source: path, reason });
  const handle = await open(absolute, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(() => undefined);
  if (handle === undefined) return skip('it cannot be opened');
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) return skip('it is not a regular file');
    if (facts.size > bytesMax) return skip(`it has more than ${bytesMax} bytes`);
    return decoder.decode(await handle.readFile());
  } catch (error) {
    return skip(error instanceof TypeError ? 'it is not UTF-8' : 'it cannot be read');
  } finally {
    await handle.close();
  }
}
