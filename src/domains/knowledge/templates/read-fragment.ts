import { basename, dirname } from 'node:path';
import { listFiles, readFile } from '../base/base-files.ts';
import type { TemplateFragment } from '../base/entry.ts';

const category = 'templates';

/** The fragments in the folder `templates` of a base, as it is written or as it is shipped. Throws on the first bad one. */
export function readFragments(folder: string): readonly TemplateFragment[] {
  if (basename(folder) !== category) throw new Error(`fragments stand in a folder called ${category}`);
  const base = dirname(folder);
  return listFiles(base, category).flatMap((name) => readFile(base, category, name) ?? []);
}
