import { readdir } from 'node:fs/promises';
import type { CatalogProblem } from '../catalog.ts';
import { parseEntry } from '../entry-json.ts';
import { errorCodeOf } from './file-errors.ts';
import { idOfFile, isEntryFile } from './folder-names.ts';
import { readEntryFile } from './read-file.ts';

/** The files of a folder that a catalog would not serve. Opens no store and changes nothing. */
export async function findProblems(folder: string, canonicalOff: boolean): Promise<readonly CatalogProblem[]> {
  const problems: CatalogProblem[] = [];
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCodeOf(error) === 'ENOENT') return [];
    throw error;
  });
  for (const file of names.filter(isEntryFile).sort()) {
    const found = readEntryFile(folder, file);
    if (found.kind === 'rejected') problems.push({ file, problem: found.problem });
    if (found.kind !== 'bytes') continue;
    const { bytes, modifiedAt } = found;
    const { problem } = parseEntry(bytes, { id: idOfFile(file), modifiedAt, canonicalOff });
    if (problem !== undefined) problems.push({ file, problem });
  }
  return problems;
}
