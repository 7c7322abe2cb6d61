import type { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { notebookFaults } from '../notebook-faults.ts';
import type { PadRow } from './pad-store.ts';

export const padMissing = (scratchId: string): Fault =>
  faults.NOT_FOUND({ what: `scratchpad ${scratchId}` }, { scratch_id: scratchId });

/** Of a pad that was just written: its revision has moved by one. */
export function checkRevision(pad: Pick<PadRow, 'scratch_id' | 'revision'>, expected: number | undefined): void {
  refuseMoved(pad.scratch_id, pad.revision - 1, expected);
}

export function refuseMoved(scratchId: string, actual: number, expected: number | undefined): void {
  if (expected === undefined || expected === actual) return;
  throw faults.CONFLICT(
    { why: `The scratchpad ${scratchId} has revision ${actual} and not ${expected}` },
    { expected, actual },
  );
}

export const unknownCells = (cellIds: readonly string[]): Fault =>
  notebookFaults.INVALID_ID(
    { why: `The scratchpad has no cell ${cellIds.slice(0, 5).join(', ')}` },
    { cell_ids: cellIds.slice(0, 100) },
  );
