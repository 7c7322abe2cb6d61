import { basename } from 'node:path';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import {
  type FileListing,
  findFiles,
  type NamedFile,
  readTextFile,
  type SkippedFile,
} from '#kernel/paths/find-files.ts';
import { writeTextFile } from '#kernel/paths/place-text.ts';
import { isScratchId } from '../notebook-ids.ts';
import { notebookLimits } from '../notebook-limits.ts';

/** Device names of Windows, which are reserved with any extension. */
const isDevice = (name: string): boolean => /^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(name);

const shortHash = (text: string): string => sha256Hex(text).slice(0, notebookLimits.nameHashChars);

/**
 * A file is named after the pad's id, with a hash where the file system might confuse two names or reserve the name. The
 * file itself contains the id.
 */
export function toFileNames(scratchIds: readonly string[], extension: string): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  return new Map(
    scratchIds.map((id) => {
      const isPlain = !isDevice(id) && !taken.has(id.toLowerCase());
      const name = isPlain ? id : `${id}.${shortHash(id)}`;
      taken.add(name.toLowerCase());
      return [id, `${name}.${extension}`];
    }),
  );
}

/** `My notes (2).ipynb` → `My-notes-2`. */
export function toScratchId(fileName: string): string {
  const words = fileName
    .replace(/\.[^.]*$/, '')
    .normalize('NFKD')
    .split(/[^A-Za-z0-9_-]+/);
  const base = words
    .filter((word) => word !== '')
    .join('-')
    .slice(0, notebookLimits.idChars - notebookLimits.nameHashChars - 1);
  return isScratchId(base) ? base : `pad-${shortHash(fileName)}`;
}

export type PadFormat = 'md' | 'ipynb';
export type PadFile = NamedFile<PadFormat>;

function formatOf(path: string): PadFormat | undefined {
  const lower = path.toLowerCase();
  if (lower.endsWith('.ipynb')) return 'ipynb';
  return lower.endsWith('.md') || lower.endsWith('.markdown') ? 'md' : undefined;
}

/** Includes `.ipynb_checkpoints`, Jupyter's copies. */
const isIgnored = (name: string): boolean => name.startsWith('.') || name === 'node_modules';

const unknownFormat = { reason: 'unknown file type, not .md, .markdown or .ipynb; give it with --format' };

/** Markdown files and notebooks in folders, and named files; `format` applies to named files only. */
export const findPadFiles = (paths: readonly string[], format?: PadFormat): Promise<FileListing<PadFormat>> =>
  findFiles<PadFormat>(paths, {
    formatOf: (path) => (basename(path).startsWith('.') ? undefined : formatOf(path)),
    namedFormat: (path) => format ?? formatOf(path) ?? unknownFormat,
    isEntered: (folder) => !isIgnored(folder),
    filesCount: notebookLimits.filesCount,
    folderDepth: notebookLimits.folderDepth,
  });

export const readPadFile = (file: PadFile): Promise<string | SkippedFile> =>
  readTextFile(file, notebookLimits.padFileBytes);

export async function writePadFile(path: string, text: string): Promise<void> {
  try {
    await writeTextFile(path, text);
  } catch (error) {
    throw faults.CONFIG_ERROR({ why: `${path} cannot be written` }, {}, { cause: error });
  }
}
