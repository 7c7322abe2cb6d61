import type { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { notebookFaults } from '../notebook-faults.ts';
import { notebookLimits } from '../notebook-limits.ts';

/** `fix` is more exact for tools that can create the pad. */
export const padMissing = (
  scratchId: string,
  fix = 'scratch_list lists the scratchpads, scratch_search finds them by words, scratch_trash lists deleted ones.',
): Fault => faults.NOT_FOUND({ what: `scratchpad ${scratchId}` }, { scratch_id: scratchId, fix });

export function expectRevision(scratchId: string, actual: number, expected: number | undefined): void {
  if (expected === undefined || expected === actual) return;
  throw faults.CONFLICT(
    { why: `The scratchpad ${scratchId} has revision ${actual}, not ${expected}` },
    {
      expected,
      actual,
      fix: `Read it again with scratch_read {"scratch_id": "${scratchId}"}, then send expected_revision ${actual}.`,
    },
  );
}

export const unknownCells = (scratchId: string, cellIds: readonly string[]): Fault =>
  notebookFaults.INVALID_ID(
    { why: `The scratchpad has no cell ${cellIds.slice(0, 5).join(', ')}` },
    {
      cell_ids: cellIds.slice(0, 100),
      fix: `scratch_list_cells {"scratch_id": "${scratchId}"} lists the cells; scratch_restore brings back a deleted one.`,
    },
  );

export const cellTaken = (scratchId: string, cellIds: readonly string[]): Fault =>
  faults.CONFLICT(
    {
      why: `The scratchpad already has ${cellIds.length === 1 ? 'a cell' : 'one of the cells'} ${cellIds.slice(0, 5).join(', ')}`,
    },
    {
      ...(cellIds.length === 1 ? { cell_id: cellIds[0] } : { cell_ids: cellIds.slice(0, 100) }),
      fix: `Leave out cell_id, or change the cell with scratch_replace_cell; scratch_list_cells {"scratch_id": "${scratchId}"} lists the cells.`,
    },
  );

export const overLimit = (
  why: string,
  limit: number,
  fix = `Send less: at most ${limit}; or raise the limit in the settings of the server.`,
): Fault => notebookFaults.CAPACITY_LIMIT_REACHED({ why }, { limit, fix });

export const tooManyCells = (why: string, limit: number): Fault =>
  overLimit(why, limit, 'Begin another scratchpad, delete cells with scratch_delete_cell, or raise maxCellsPerPad.');

export const tooManyPads = (why: string, limit: number): Fault =>
  overLimit(why, limit, 'Delete a scratchpad with scratch_delete, or raise maxScratchpads or change evictionPolicy.');

export function limitCellTags(cellTags: readonly string[]): void {
  const { cellTagsCount } = notebookLimits;
  if (cellTags.length > cellTagsCount)
    throw overLimit(
      `the cells of a scratchpad have at most ${cellTagsCount} distinct tags`,
      cellTagsCount,
      'Use tags that other cells have; scratch_list_tags lists them.',
    );
}
