import type { Call } from '#kernel/call.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { notebookFaults } from '../notebook-faults.ts';
import type { CellInput } from '../notebook-model.ts';
import { cellDocumentId, toCellDocument } from '../search/notebook-documents.ts';
import type { WriteAnswer } from './append-cell.ts';
import { type LightCellRow, listLightCells, shiftCells, updateCell } from './cell-store.ts';
import type { PadContext, WrittenPad } from './pad-context.ts';
import { expectRevision, limitCellTags, padMissing, unknownCells } from './pad-faults.ts';
import { bumpPad, type PadRow, setCellTags } from './pad-store.ts';
import { addTags, compareTags, dropTags, parseTags, uniteTags } from './pad-tags.ts';
import { byPosition, toLightPad } from './pad-views.ts';
import { cellTopic, hashOfPad, padTopic } from './remove-pad.ts';
import { type CellFields, toCellFields } from './to-cell-row.ts';

/** How the other cells move when one moves: those from one index to another, both included, by one. */
interface Shift {
  readonly from: number;
  readonly to: number;
  readonly by: 1 | -1;
}

export function toShift(index: number, newIndex: number): Shift | undefined {
  if (newIndex === index) return undefined;
  return newIndex < index ? { from: newIndex, to: index - 1, by: 1 } : { from: index + 1, to: newIndex, by: -1 };
}

export const moveItem = <T>(items: readonly T[], index: number, newIndex: number): readonly T[] => {
  const rest = items.toSpliced(index, 1);
  return rest.toSpliced(newIndex, 0, items[index]!);
};

export interface ReplaceInput {
  readonly scratch_id: string;
  readonly cell_id: string;
  readonly cell: CellInput;
  readonly new_index?: number | undefined;
  readonly expected_revision?: number | undefined;
}

/** Updates the tags of all cells if they changed. */
function* updateCellTags(db: Writer, pad: PadRow, cells: readonly LightCellRow[]): Work<PadRow> {
  const after = uniteTags(...cells.map(({ tags }) => parseTags(tags)));
  const cell_tags = JSON.stringify(after);
  if (cell_tags === pad.cell_tags) return pad;
  limitCellTags(after);
  const { added, removed } = compareTags(parseTags(pad.cell_tags), after);
  yield* setCellTags(db, pad.scratch_id, cell_tags);
  yield* dropTags(db, pad, 'cell', removed);
  yield* addTags(db, pad, 'cell', added);
  return { ...pad, cell_tags };
}

function expectIndex(newIndex: number | undefined, cellsCount: number): void {
  if (newIndex === undefined || newIndex < cellsCount) return;
  throw notebookFaults.INVALID_INDEX(
    { why: `new_index is ${newIndex}; the scratchpad has cells 0 to ${cellsCount - 1}` },
    { new_index: newIndex, cell_count: cellsCount },
  );
}

export function createReplace(context: PadContext) {
  const { storage, documents, maxCellBytes } = context;

  function* replace(db: Writer, input: ReplaceInput, given: CellFields): Work<WrittenPad> {
    const bumped = yield* bumpPad(db, input.scratch_id, 0);
    if (bumped === undefined) throw padMissing(input.scratch_id);
    expectRevision(input.scratch_id, bumped.revision - 1, input.expected_revision);
    const before = byPosition(yield* listLightCells(db, bumped.pad_key));
    const index = before.findIndex(({ cell_id }) => cell_id === input.cell_id);
    const old = before[index];
    if (old === undefined) throw unknownCells([input.cell_id]);
    expectIndex(input.new_index, before.length);
    const newIndex = input.new_index ?? index;
    const { tagList: _tagList, ...fields } = given;
    const cell = { ...fields, cell_id: old.cell_id, position: newIndex, revision: old.revision + 1 };
    const shift = toShift(index, newIndex);
    if (shift !== undefined) yield* shiftCells(db, bumped.pad_key, shift.from, shift.to, shift.by);
    yield* updateCell(db, bumped.pad_key, cell);
    const after = moveItem(before.with(index, cell), index, newIndex).map((row, position) => ({ ...row, position }));
    const pad = yield* updateCellTags(db, bumped, after);
    yield* documents.put(db, [toCellDocument(pad, cell)]);
    yield* db.changed(padTopic, pad.scratch_id, 'update', hashOfPad(pad));
    yield* db.changed(cellTopic, cellDocumentId(pad.scratch_id, cell.cell_id), 'update', sha256Hex(cell.content));
    return { scratchpad: toLightPad(pad, after), padKey: pad.pad_key };
  }

  return async (input: ReplaceInput, call: Call): Promise<WriteAnswer> => {
    const { cell_id: otherId } = input.cell;
    if (otherId !== undefined && otherId !== input.cell_id) {
      throw notebookFaults.INVALID_ID(
        { why: `cell.cell_id is ${otherId}, but cell_id is ${input.cell_id}: a cell keeps its id` },
        { field: 'cell.cell_id' },
      );
    }
    const given = toCellFields(input.cell, maxCellBytes);
    const written = await storage.write(call, (db) => replace(db, input, given));
    context.access.note(call.tenant, input.scratch_id);
    const { scratchpad } = written;
    const index = scratchpad.cells.findIndex(({ cell_id }) => cell_id === input.cell_id);
    const validation = await context.validate(call, written, [input.cell], index);
    return validation === undefined ? { ok: true, scratchpad } : { ok: true, scratchpad, validation };
  };
}
