import { sha256Hex } from '#kernel/hash/hash.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { idPattern } from '../words.ts';

/** Names that Windows keeps for devices, whatever follows the dot. */
const isDevice = (name: string): boolean => /^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(name);

const shortHash = (text: string): string => sha256Hex(text).slice(0, notebookLimits.nameHashChars);

/**
 * The file of a pad: its id, which is safe in a path. Where a file system would take two ids for one, or the id for a
 * device, a piece of its hash follows. The file itself says which pad it is.
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

export const isScratchId = (text: string): boolean => text !== 'schemas' && idPattern.test(text);

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
