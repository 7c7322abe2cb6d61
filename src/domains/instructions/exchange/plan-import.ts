import { parseFile } from './formats/parse-file.ts';
import type { SkippedPart } from './formats/parsed-file.ts';
import { findRuleFiles, readRuleFile } from './rule-files.ts';
import { type Settled, type Sourced, settleIds } from './settle-ids.ts';

export interface ImportPlan extends Settled {
  readonly files: number;
}

export type Told = (done: number, total: number | undefined, message: string) => void;

/** What an import would bring, without asking the catalog anything: the dry run, and the first half of the real one. */
export async function planImport(paths: readonly string[], told: Told = () => {}): Promise<ImportPlan> {
  const found = await findRuleFiles(paths);
  const all: Sourced[] = [];
  const skipped: SkippedPart[] = [...found.skipped];
  const warnings: string[] = [];
  for (const [i, file] of found.files.entries()) {
    told(i, found.files.length, `reading ${file.path}`);
    const read = await readRuleFile(file);
    if ('reason' in read) {
      skipped.push(read);
      continue;
    }
    const parsed = parseFile(read);
    const isGiven = read.format === 'entry-json' || read.format === 'skill';
    for (const entry of parsed.entries) all.push({ entry, source: read.path, isGiven });
    skipped.push(...parsed.skipped);
    warnings.push(...parsed.warnings);
  }
  const settled = settleIds(all);
  return {
    files: found.files.length,
    entries: settled.entries,
    skipped: [...skipped, ...settled.skipped],
    warnings: [...warnings, ...settled.warnings],
  };
}
