import type { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { notebookFaults } from '../notebook-faults.ts';
import { notebookLimits } from '../notebook-limits.ts';

export const padMissing = (scratchId: string): Fault =>
  faults.NOT_FOUND({ what: `scratchpad ${scratchId}` }, { scratch_id: scratchId });

export function expectRevision(scratchId: string, actual: number, expected: number | undefined): void {
  if (expected === undefined || expected === actual) return;
  throw faults.CONFLICT(
    { why: `The scratchpad ${scratchId} has revision ${actual}, not ${expected}` },
    { expected, actual },
  );
}

export const unknownCells = (cellIds: readonly string[]): Fault =>
  notebookFaults.INVALID_ID(
    { why: `The scratchpad has no cell ${cellIds.slice(0, 5).join(', ')}` },
    { cell_ids: cellIds.slice(0, 100) },
  );

export const overLimit = (why: string, limit: number): Fault =>
  notebookFaults.CAPACITY_LIMIT_REACHED({ why }, { limit });

export function limitCellTags(cellTags: readonly string[]): void {
  const { cellTagsCount } = notebookLimits;
  if (cellTags.length > cellTagsCount)
    throw overLimit(`the cells of a scratchpad have at most ${cellTagsCount} distinct tags`, cellTagsCount);
}
