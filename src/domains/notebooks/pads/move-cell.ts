import type { Call } from '#kernel/call.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { recordMove } from '../history/record-change.ts';
import type { LightPad } from '../notebook-model.ts';
import type { WriteAnswer } from './append-cell.ts';
import { findCell, setPosition, shiftCells } from './cell-store.ts';
import type { PadContext } from './pad-context.ts';
import { expectRevision, padMissing, unknownCells } from './pad-faults.ts';
import { bumpPad, type PadRow } from './pad-store.ts';
import { toLightPad } from './pad-views.ts';
import { hashOfPad, padTopic } from './remove-pad.ts';
import { expectIndex, recomputeCellTags, toShift } from './replace-cell.ts';
import { cursorOfRest, listShownCells, type ShownCells } from './show-cells.ts';

export interface MoveInput {
  readonly scratch_id: string;
  readonly cell_id: string;
  readonly to_index: number;
  readonly expected_revision?: number | undefined;
  readonly cells?: ShownCells;
}

function* move(db: Writer, input: MoveInput, actor: string): Work<LightPad> {
  const { scratch_id, cell_id, to_index: to } = input;
  const bumped = yield* bumpPad(db, scratch_id, 0);
  if (bumped === undefined) throw padMissing(scratch_id);
  expectRevision(scratch_id, bumped.revision - 1, input.expected_revision);
  const cell = yield* findCell(db, bumped.pad_key, cell_id);
  if (cell === undefined) throw unknownCells(scratch_id, [cell_id]);
  expectIndex('to_index', to, bumped.cell_count);
  const shift = toShift(cell.position, to);
  let pad: PadRow = bumped;
  if (shift !== undefined) {
    yield* shiftCells(db, pad.pad_key, shift.from, shift.to, shift.by);
    yield* setPosition(db, pad.pad_key, cell_id, to);
    yield* recordMove(db, pad, cell, to, actor);
    // Tags are listed in the order of the cells.
    if (pad.cell_tags !== '[]') pad = yield* recomputeCellTags(db, pad);
  }
  yield* db.changed(padTopic, scratch_id, 'update', hashOfPad(pad));
  return toLightPad(pad, yield* listShownCells(db, pad, { from: to, to }, input.cells));
}

export const createCellMove =
  ({ storage, access, cursors }: PadContext) =>
  async (input: MoveInput, call: Call): Promise<WriteAnswer> => {
    const scratchpad = await storage.write(call, (db) => move(db, input, call.actor));
    access.note(call.tenant, input.scratch_id);
    return { ok: true, scratchpad, ...cursorOfRest(cursors, call, scratchpad) };
  };
