import { readdir } from 'node:fs/promises';
import { mappedFieldsOf } from '../../rules/map-entry.ts';
import type { CatalogProblem } from '../catalog.ts';
import { parseEntry } from '../entry-json.ts';
import { errorCodeOf } from './file-errors.ts';
import { idOfFile, isEntryFile } from './folder-names.ts';
import { readEntryFile } from './read-file.ts';
import { describeRival, holdersOf } from './served-files.ts';

/** The files of a folder that a catalog would not serve, or not as they are. Opens no store and changes nothing. */
export async function checkFiles(folder: string, canonicalOff: boolean) {
  const mapped: string[] = [];
  const problems: CatalogProblem[] = [];
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCodeOf(error) === 'ENOENT') return [];
    throw error;
  });
  const files = names.filter(isEntryFile).sort();
  const holders = holdersOf(files);
  for (const file of files) {
    const holder = holders.get(idOfFile(file));
    if (holder !== undefined && holder !== file) {
      problems.push({ file, problem: describeRival(idOfFile(file), holder) });
      continue;
    }
    const found = readEntryFile(folder, file);
    if (found.kind === 'rejected') problems.push({ file, problem: found.problem });
    if (found.kind !== 'bytes') continue;
    const { bytes, modifiedAt } = found;
    const { item, problem } = parseEntry(bytes, { id: idOfFile(file), modifiedAt, canonicalOff });
    if (problem !== undefined) problems.push({ file, problem });
    else if (mappedFieldsOf(item.entry).length > 0) mapped.push(file);
  }
  return { problems, mapped };
}
