import type { Call } from '#kernel/call.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { notebookFaults } from '../notebook-faults.ts';
import type { CellInput } from '../notebook-model.ts';
import { cellDocumentId, toCellDocument } from '../search/documents.ts';
import type { WriteAnswer } from './append-cell.ts';
import { shiftCells, updateCell } from './cell-store.ts';
import { checkRevision, padMissing, unknownCells } from './expect-pad.ts';
import type { PadParts, WrittenPad } from './pad-parts.ts';
import { bumpPad, type LightCellRow, listLightCells, type PadRow, setCellTags } from './pad-store.ts';
import { cellTopic, hashOfPad, padTopic } from './removal/remove-pad.ts';
import { byPosition, toLightPad } from './rules/show.ts';
import { compareTags, parseTags, uniteTags } from './rules/tags.ts';
import { type GivenCell, refuseManyCellTags, toGivenCell } from './rules/to-cell-row.ts';
import { addTags, dropTags } from './tags/tags.ts';

/** Where the neighbours of a moved cell go: those from one index up to another, the last included, by one place. */
interface Shift {
  readonly from: number;
  readonly to: number;
  readonly by: 1 | -1;
}

export function toShift(index: number, newIndex: number): Shift | undefined {
  if (newIndex === index) return undefined;
  return newIndex < index ? { from: newIndex, to: index - 1, by: 1 } : { from: index + 1, to: newIndex, by: -1 };
}

/** The same move on a list. */
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

/** Tags of all cells as they stand now, where that is not what the pad says. */
function* updateCellTags(db: Writer, pad: PadRow, cells: readonly LightCellRow[]): Work<PadRow> {
  const after = uniteTags(...cells.map(({ tags }) => parseTags(tags)));
  const cell_tags = JSON.stringify(after);
  if (cell_tags === pad.cell_tags) return pad;
  refuseManyCellTags(after);
  const { added, removed } = compareTags(parseTags(pad.cell_tags), after);
  yield* setCellTags(db, pad.scratch_id, cell_tags);
  yield* dropTags(db, pad, 'cell', removed);
  yield* addTags(db, pad, 'cell', added);
  return { ...pad, cell_tags };
}

function checkIndex(newIndex: number | undefined, cellsCount: number): void {
  if (newIndex === undefined || newIndex < cellsCount) return;
  throw notebookFaults.INVALID_INDEX(
    { why: `new_index is ${newIndex}; the scratchpad has cells 0 to ${cellsCount - 1}` },
    { new_index: newIndex, cell_count: cellsCount },
  );
}

export function createReplace(parts: PadParts) {
  const { storage, documents, maxCellBytes } = parts;

  function* replace(db: Writer, input: ReplaceInput, given: GivenCell): Work<WrittenPad> {
    const bumped = yield* bumpPad(db, input.scratch_id, 0);
    if (bumped === undefined) throw padMissing(input.scratch_id);
    checkRevision(bumped, input.expected_revision);
    const before = byPosition(yield* listLightCells(db, bumped.pad_key));
    const index = before.findIndex(({ cell_id }) => cell_id === input.cell_id);
    const old = before[index];
    if (old === undefined) throw unknownCells([input.cell_id]);
    checkIndex(input.new_index, before.length);
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
        { why: `cell.cell_id is ${otherId} and cell_id is ${input.cell_id}: a cell keeps its id` },
        { field: 'cell.cell_id' },
      );
    }
    const given = toGivenCell(input.cell, maxCellBytes);
    const written = await storage.write(call, (db) => replace(db, input, given));
    parts.access.note(call.tenant, input.scratch_id);
    const { scratchpad } = written;
    const index = scratchpad.cells.findIndex(({ cell_id }) => cell_id === input.cell_id);
    const validation = await parts.validate(call, written, [input.cell], index);
    return validation === undefined ? { ok: true, scratchpad } : { ok: true, scratchpad, validation };
  };
}
