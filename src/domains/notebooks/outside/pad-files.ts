import { constants } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { placeText } from '#kernel/paths/place-text.ts';
import { notebookFileLimits } from './notebook-file-limits.ts';

export type PadFormat = 'md' | 'ipynb';

export interface SkippedFile {
  readonly source: string;
  readonly reason: string;
}

export interface FoundFile {
  /** From the named folder, parts joined by `/`; the bare name of a file that was named itself. */
  readonly path: string;
  readonly absolute: string;
  readonly format: PadFormat;
}

interface Walk {
  readonly files: FoundFile[];
  readonly skipped: SkippedFile[];
}

function formatOf(path: string): PadFormat | undefined {
  const lower = path.toLowerCase();
  if (lower.endsWith('.ipynb')) return 'ipynb';
  return lower.endsWith('.md') || lower.endsWith('.markdown') ? 'md' : undefined;
}

/** Folders of other people's files, and Jupyter's copies of what lies beside them. */
const isForeign = (name: string): boolean => name.startsWith('.') || name === 'node_modules';

async function walk(root: string, below: string, depth: number, found: Walk): Promise<void> {
  const entries = await readdir(join(root, below), { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      if (depth < notebookFileLimits.folderDepth && !isForeign(entry.name)) await walk(root, path, depth + 1, found);
      continue;
    }
    const format = formatOf(path);
    if (format === undefined || entry.name.startsWith('.')) continue;
    if (!entry.isFile()) found.skipped.push({ source: path, reason: 'it is a link or no plain file' });
    else if (found.files.length >= notebookFileLimits.filesCount) {
      throw faults.RESOURCE_LIMIT({ what: 'What was named', limit: notebookFileLimits.filesCount, unit: 'files' });
    } else found.files.push({ path, absolute: join(root, path), format });
  }
}

const unknownFormat = 'its name ends in none of .md, .markdown and .ipynb; say with --format what it is';

/**
 * Markdown files and notebooks under folders, and the files that are named, which may be told to be of a `format`; a link
 * is followed only when named itself.
 */
export async function findPadFiles(paths: readonly string[], format?: PadFormat): Promise<Walk> {
  const found: Walk = { files: [], skipped: [] };
  for (const path of paths) {
    const absolute = resolve(path);
    const facts = await stat(absolute).catch(() => undefined);
    if (facts === undefined) throw faults.NOT_FOUND({ what: path });
    if (facts.isDirectory()) await walk(absolute, '', 0, found);
    else if (facts.isFile()) {
      const known = format ?? formatOf(absolute);
      if (known === undefined) found.skipped.push({ source: basename(absolute), reason: unknownFormat });
      else found.files.push({ path: basename(absolute), absolute, format: known });
    } else found.skipped.push({ source: path, reason: 'it is no plain file' });
  }
  const seen = new Set<string>();
  return { ...found, files: found.files.filter(({ absolute }) => !seen.has(absolute) && seen.add(absolute)) };
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Text, or why there is none. Opened without waiting, so that a FIFO that came to stand there cannot hold it up. */
export async function readPadFile(file: FoundFile): Promise<string | SkippedFile> {
  const skip = (reason: string): SkippedFile => ({ source: file.path, reason });
  const handle = await open(file.absolute, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(() => undefined);
  if (handle === undefined) return skip('it cannot be opened');
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) return skip('it is no plain file');
    if (facts.size > notebookFileLimits.padFileBytes)
      return skip(`it has more than ${notebookFileLimits.padFileBytes} bytes`);
    return decoder.decode(await handle.readFile());
  } catch (error) {
    return skip(error instanceof TypeError ? 'it is not UTF-8' : 'it cannot be read');
  } finally {
    await handle.close();
  }
}

export async function writePadFile(path: string, text: string): Promise<void> {
  try {
    await placeText(path, text);
  } catch (error) {
    throw faults.CONFIG_ERROR({ why: `${path} cannot be written` }, {}, { cause: error });
  }
}
