import { constants } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { faults } from '../fault/kernel-faults.ts';

/** A file that somebody named, or that lies in a folder that somebody named. */
export interface NamedFile<Format> {
  /** From the named folder, parts joined by `/`; the bare name of a file that was named itself. */
  readonly path: string;
  readonly absolute: string;
  readonly format: Format;
}

/** What was named and brings nothing. */
export interface SkippedFile {
  readonly source: string;
  readonly reason: string;
}

/** Which files are wanted, and how many may be. */
export interface FileSearch<Format> {
  /** Of a file in a folder; `depth` 0 in the named folder itself. Undefined: it is not wanted, and not worth a word. */
  formatOf(path: string, depth: number): Format | undefined;
  /** Of a file that was named itself; a text says why it is not read. */
  namedFormat(path: string): Format | { readonly reason: string };
  /** By its name, or by its path from the named folder. */
  isEntered(folder: string, path: string): boolean | Promise<boolean>;
  readonly filesCount: number;
  readonly folderDepth: number;
}

export interface FileListing<Format> {
  readonly files: readonly NamedFile<Format>[];
  readonly skipped: readonly SkippedFile[];
}

/** Each once, in the order of names; a link is followed only when it is named itself. */
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
      // A folder of somebody else, or one that went meanwhile, is no reason to leave all the others.
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
    if (facts === undefined) throw faults.NOT_FOUND({ what: path });
    if (facts.isDirectory()) await walk(absolute, '', 0);
    else if (facts.isFile()) {
      const format = search.namedFormat(absolute);
      if (typeof format === 'string') take({ path: basename(absolute), absolute, format });
      else skipped.push({ source: basename(absolute), ...format });
    } else skipped.push({ source: path, reason: 'it is no plain file' });
  }
  return { files: [...files.values()], skipped };
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Text, or why there is none. Opened without waiting, so that a FIFO that came to stand there cannot hold it up. */
export async function readTextFile(
  { path, absolute }: Pick<NamedFile<string>, 'path' | 'absolute'>,
  bytesMax: number,
): Promise<string | SkippedFile> {
  const skip = (reason: string): SkippedFile => ({ source: path, reason });
  const handle = await open(absolute, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(() => undefined);
  if (handle === undefined) return skip('it cannot be opened');
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) return skip('it is no plain file');
    if (facts.size > bytesMax) return skip(`it has more than ${bytesMax} bytes`);
    return decoder.decode(await handle.readFile());
  } catch (error) {
    return skip(error instanceof TypeError ? 'it is not UTF-8' : 'it cannot be read');
  } finally {
    await handle.close();
  }
}
