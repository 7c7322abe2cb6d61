import { basename } from 'node:path';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { type FoundFiles, findFiles, type NamedFile, type PassedOver, readTextFile } from '#kernel/paths/find-files.ts';
import { placeText } from '#kernel/paths/place-text.ts';
import { notebookLimits } from '../notebook-limits.ts';

export type PadFormat = 'md' | 'ipynb';
export type PadFile = NamedFile<PadFormat>;

function formatOf(path: string): PadFormat | undefined {
  const lower = path.toLowerCase();
  if (lower.endsWith('.ipynb')) return 'ipynb';
  return lower.endsWith('.md') || lower.endsWith('.markdown') ? 'md' : undefined;
}

/** Folders of other people's files, and Jupyter's copies of what lies beside them. */
const isForeign = (name: string): boolean => name.startsWith('.') || name === 'node_modules';

const unknownFormat = { reason: 'its name ends in none of .md, .markdown and .ipynb; say with --format what it is' };

/** Markdown files and notebooks under folders, and the files that are named, which may be told to be of a `format`. */
export const findPadFiles = (paths: readonly string[], format?: PadFormat): Promise<FoundFiles<PadFormat>> =>
  findFiles<PadFormat>(paths, {
    formatOf: (path) => (basename(path).startsWith('.') ? undefined : formatOf(path)),
    namedFormat: (path) => format ?? formatOf(path) ?? unknownFormat,
    isEntered: (folder) => !isForeign(folder),
    filesCount: notebookLimits.filesCount,
    folderDepth: notebookLimits.folderDepth,
  });

export const readPadFile = (file: PadFile): Promise<string | PassedOver> =>
  readTextFile(file, notebookLimits.padFileBytes);

export async function writePadFile(path: string, text: string): Promise<void> {
  try {
    await placeText(path, text);
  } catch (error) {
    throw faults.CONFIG_ERROR({ why: `${path} cannot be written` }, {}, { cause: error });
  }
}
