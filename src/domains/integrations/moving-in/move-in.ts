import type { Storage } from '#kernel/storage/port.ts';
import { askThrough } from '#kernel/tool/invoke.ts';
import type { ToolCall } from '#kernel/tool/tool.ts';
import { integrationLimits } from '../integration-limits.ts';
import type { MoveError } from './move-deps.ts';
import { moveFacts } from './move-facts.ts';
import { movePads } from './move-pads.ts';
import { createMovedItems } from './moved-items.ts';
import { memoryPrograms, type ProgramName, readMemoryFiles } from './read-files.ts';

export interface MoveInput {
  readonly from: ProgramName;
  readonly paths: readonly string[];
  readonly namespace?: string | undefined;
  readonly dryRun: boolean;
}

/** Imports the memories of another program. A second run adds only what is new there. */
export async function moveIn(storage: Pick<Storage, 'read' | 'write'>, input: MoveInput, call: ToolCall) {
  const { from, paths, dryRun, namespace = from } = input;
  const { files, skipped } = await readMemoryFiles(from, paths);
  const parse = await memoryPrograms[from].load();
  const parsed = parse(files);
  const report: MoveError[] = [];
  const deps = {
    ask: askThrough(call),
    moved: createMovedItems(storage, from, call),
    program: from,
    dryRun,
    namespace,
    signal: call.signal,
    report,
    progress: call.progress,
  };
  const facts = await moveFacts(deps, parsed.facts);
  const { cells, ...pads } = await movePads(deps, parsed.pads);
  const { shownProblemsCount } = integrationLimits;
  const allSkipped = [...skipped, ...parsed.skipped];
  return {
    dryRun,
    files: files.length,
    facts,
    scratchpads: pads,
    cells,
    leftOut: parsed.leftOut,
    skippedCount: allSkipped.length,
    skipped: allSkipped.slice(0, shownProblemsCount),
    errorsCount: report.length,
    errors: report.slice(0, shownProblemsCount),
    ...(dryRun && { hint: 'Nothing was changed. Run the same command without --dry-run to import.' }),
  };
}
