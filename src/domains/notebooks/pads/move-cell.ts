import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import type { RestoreCall } from '#kernel/tool/restore-call.ts';
import { recordMove, recordTransfer } from '../history/record-change.ts';
import type { LightPad } from '../notebook-model.ts';
import { findNoteAuthors } from '../search/note-authors.ts';
import { cellDocumentId, toCellDocument } from '../search/notebook-documents.ts';
import type { WriteAnswer } from './append-cell.ts';
import { findCell, moveToPad, setPosition, shiftCells } from './cell-store.ts';
import type { PadContext } from './pad-context.ts';
import { expectRevision, padMissing, tooManyCells, unknownCells } from './pad-faults.ts';
import { bumpPad, type PadRow, raiseRevision } from './pad-store.ts';
import { toLightPad } from './pad-views.ts';
import { cellTopic, hashOfPad, padTopic } from './remove-pad.ts';
import { expectIndex, recomputeCellTags, toShift } from './replace-cell.ts';
import { cursorOfRest, listShownCells, type ShownCells } from './show-cells.ts';

export interface MoveInput {
  readonly scratch_id: string;
  readonly cell_id: string;
  readonly to_index?: number | undefined;
  /** The pad that gets the cell; its own pad when absent. */
  readonly to_scratch_id?: string | undefined;
  readonly expected_revision?: number | undefined;
  readonly cells?: ShownCells;
}

export interface MoveAnswer extends WriteAnswer {
  /** The pad that the cell left. */
  readonly moved_from?: { readonly scratch_id: string; readonly revision: number; readonly cell_count: number };
}

function* moveInside(db: Writer, input: MoveInput, to: number, actor: string): Work<LightPad> {
  const { scratch_id, cell_id } = input;
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

interface Moved {
  readonly scratchpad: LightPad;
  readonly from: PadRow;
  readonly index: number;
}

/** Always in the same order, so that two opposite moves do not wait for each other. */
function* bumpBoth(db: Writer, fromId: string, toId: string): Work<readonly [PadRow, PadRow]> {
  const added = new Map([
    [fromId, -1],
    [toId, 1],
  ]);
  const rows = new Map<string, PadRow>();
  for (const id of [fromId, toId].sort()) {
    const row = yield* bumpPad(db, id, added.get(id)!);
    if (row === undefined) throw padMissing(id, id === toId ? noTargetFix : undefined);
    rows.set(id, row);
  }
  return [rows.get(fromId)!, rows.get(toId)!];
}

const noTargetFix = 'Create it with scratch_create first, or use an id that scratch_list shows.';

export function createCellMove({ storage, documents, access, cursors, maxCellsPerPad }: PadContext) {
  function* moveAcross(db: Writer, input: MoveInput, toId: string, actor: string): Work<Moved> {
    const { scratch_id: fromId, cell_id } = input;
    const [left, entered] = yield* bumpBoth(db, fromId, toId);
    expectRevision(fromId, left.revision - 1, input.expected_revision);
    const cell = yield* findCell(db, left.pad_key, cell_id);
    if (cell === undefined) throw unknownCells(fromId, [cell_id]);
    if ((yield* findCell(db, entered.pad_key, cell_id)) !== undefined) {
      const fix = `Delete one of the two, or append the text to ${toId} under another cell_id and delete it in ${fromId}.`;
      throw faults.CONFLICT({ why: `The scratchpad ${toId} already has a cell ${cell_id}` }, { cell_id, fix });
    }
    if (maxCellsPerPad > 0 && entered.cell_count > maxCellsPerPad) {
      throw tooManyCells(`the scratchpad ${toId} already has ${maxCellsPerPad} cells, the maximum`, maxCellsPerPad);
    }
    expectIndex('to_index', input.to_index, entered.cell_count);
    const index = input.to_index ?? entered.cell_count - 1;
    const [author] = yield* findNoteAuthors(db, [{ scratchId: fromId, cellId: cell_id }]);
    // Changes are ordered by the revision of their pad, and the cell takes its changes along.
    const revision = Math.max(entered.revision, left.revision + 1);
    if (revision > entered.revision) yield* raiseRevision(db, toId, revision);
    yield* shiftCells(db, entered.pad_key, index, entered.cell_count, 1);
    yield* moveToPad(db, left.pad_key, cell_id, entered.pad_key, index);
    yield* shiftCells(db, left.pad_key, cell.position + 1, left.cell_count, -1);
    const to = { ...entered, revision };
    yield* recordTransfer(db, { from: left, to, cell, index, author }, actor);
    const isTagged = cell.tags !== '[]';
    const from = isTagged ? yield* recomputeCellTags(db, left) : left;
    const pad = isTagged ? yield* recomputeCellTags(db, to) : to;
    yield* documents.drop(db, [cellDocumentId(fromId, cell_id)]);
    yield* documents.put(db, [toCellDocument(pad, cell)]);
    yield* db.changed(padTopic, fromId, 'update', hashOfPad(from));
    yield* db.changed(padTopic, toId, 'update', hashOfPad(pad));
    const hash = sha256Hex(cell.content);
    yield* db.changed(cellTopic, cellDocumentId(fromId, cell_id), 'delete', hash);
    yield* db.changed(cellTopic, cellDocumentId(toId, cell_id), 'create', hash);
    const listed = yield* listShownCells(db, pad, { from: index, to: index }, input.cells);
    return { scratchpad: toLightPad(pad, listed), from, index: cell.position };
  }

  async function toOther(input: MoveInput, toId: string, call: Call): Promise<MoveAnswer> {
    const { scratch_id, cell_id } = input;
    const { scratchpad, from, index } = await storage.write(call, (db) => moveAcross(db, input, toId, call.actor));
    for (const id of [scratch_id, toId]) access.note(call.tenant, id);
    const back: RestoreCall = {
      tool: 'scratch_move_cell',
      arguments: { scratch_id: toId, cell_id, to_scratch_id: scratch_id, to_index: index },
    };
    return {
      ok: true,
      scratchpad,
      moved_from: { scratch_id, revision: from.revision, cell_count: from.cell_count },
      ...cursorOfRest(cursors, call, scratchpad),
      restore: back,
    };
  }

  return async (input: MoveInput, call: Call): Promise<MoveAnswer> => {
    const { scratch_id, to_scratch_id, to_index } = input;
    if (to_scratch_id !== undefined && to_scratch_id !== scratch_id) return toOther(input, to_scratch_id, call);
    if (to_index === undefined) {
      const fix = 'Send to_scratch_id to move it to another scratchpad, to_index to move it inside its own, or both.';
      throw faults.VALIDATION_ERROR({ why: 'give to_index or to_scratch_id' }, { field: 'to_index', fix });
    }
    const scratchpad = await storage.write(call, (db) => moveInside(db, input, to_index, call.actor));
    access.note(call.tenant, scratch_id);
    return { ok: true, scratchpad, ...cursorOfRest(cursors, call, scratchpad) };
  };
}
