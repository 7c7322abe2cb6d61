import { chunksOfSize } from '#kernel/text/budget.ts';
import type { InstructionInput } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { ImportAnswer, ImportError, ImportInput } from '../tools/instructions-import.ts';
import type { BulkDeps } from './bulk-deps.ts';
import { planImport } from './plan-import.ts';

type ImportCounts = Omit<ImportAnswer, 'hash' | 'total' | 'processingTimeMs'>;

/** Calls `instructions/import` chunk by chunk. Finished chunks stay when a later one fails or the user interrupts. */
export async function importEntries(
  { ask, progress, signal }: BulkDeps,
  entries: readonly InstructionInput[],
  mode: ImportInput['mode'],
): Promise<ImportCounts> {
  const counts = { imported: 0, skipped: 0, overwritten: 0 };
  const errors: ImportError[] = [];
  let done = 0;
  const { importChunkChars, importChunkCount } = instructionLimits;
  for (const chunk of chunksOfSize(entries, importChunkChars, ({ body }) => body.length, importChunkCount)) {
    signal?.throwIfAborted();
    progress(done, entries.length, 'importing');
    const answer = (await ask('instructions/import', { entries: chunk, mode })) as ImportAnswer;
    counts.imported += answer.imported;
    counts.skipped += answer.skipped;
    counts.overwritten += answer.overwritten;
    for (const error of answer.errors) errors.push({ ...error, index: error.index + done });
    done += chunk.length;
  }
  progress(done, entries.length, 'imported');
  return { ...counts, errors };
}

export interface ImportOptions {
  readonly paths: readonly string[];
  readonly mode: ImportInput['mode'];
  readonly dryRun: boolean;
}

export async function importFiles(deps: BulkDeps, { paths, mode, dryRun }: ImportOptions) {
  const { files, entries, skipped, warnings } = await planImport(paths, deps.progress);
  const counts = dryRun
    ? { imported: 0, overwritten: 0, skipped: 0, errors: [] }
    : await importEntries(deps, entries, mode);
  return {
    dryRun,
    files,
    found: entries.length,
    imported: counts.imported,
    overwritten: counts.overwritten,
    kept: counts.skipped,
    ids: entries.map(({ id }) => id),
    skipped,
    warnings,
    errors: counts.errors,
  };
}
