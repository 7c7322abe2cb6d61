import type { Call } from '#kernel/call.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import type { RestoreCall } from '#kernel/tool/restore-call.ts';
import { isSameCell, recordChange, recordMove } from '../history/record-change.ts';
import { notebookFaults } from '../notebook-faults.ts';
import type { CellInput } from '../notebook-model.ts';
import { cellDocumentId, toCellDocument } from '../search/notebook-documents.ts';
import type { WriteAnswer } from './append-cell.ts';
import { type CellRow, findCell, listLightCells, type StoredCell, shiftCells, updateCell } from './cell-store.ts';
import type { PadContext, WrittenPad } from './pad-context.ts';
import { expectRevision, limitCellTags, padMissing, unknownCells } from './pad-faults.ts';
import { bumpPad, type PadRow, setCellTags } from './pad-store.ts';
import { addTags, compareTags, dropTags, parseTags, uniteTags } from './pad-tags.ts';
import { byPosition, toLightPad } from './pad-views.ts';
import { cellTopic, hashOfPad, padTopic } from './remove-pad.ts';
import { cursorOfRest, listShownCells, type ShownCells } from './show-cells.ts';
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

export interface ReplaceInput {
  readonly scratch_id: string;
  readonly cell_id: string;
  readonly cell: CellInput;
  readonly new_index?: number | undefined;
  readonly expected_revision?: number | undefined;
  readonly cells?: ShownCells;
}

interface ReplacedCell extends WrittenPad {
  readonly index: number;
  readonly restore: RestoreCall | undefined;
}

/** Updates the tags of all cells if they changed. */
export function* recomputeCellTags(db: Writer, pad: PadRow): Work<PadRow> {
  const cells = byPosition(yield* listLightCells(db, pad.pad_key));
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

export function expectIndex(field: 'new_index' | 'to_index', index: number | undefined, cellsCount: number): void {
  if (index === undefined || index < cellsCount) return;
  throw notebookFaults.INVALID_INDEX(
    { why: `${field} is ${index}; the scratchpad has cells 0 to ${cellsCount - 1}` },
    { [field]: index, cell_count: cellsCount, fix: `Use a ${field} from 0 to ${cellsCount - 1}.` },
  );
}

export function createReplace(context: PadContext) {
  const { storage, documents, maxCellBytes } = context;

  function* replace(db: Writer, input: ReplaceInput, given: CellFields, actor: string): Work<ReplacedCell> {
    const bumped = yield* bumpPad(db, input.scratch_id, 0);
    if (bumped === undefined) throw padMissing(input.scratch_id);
    expectRevision(input.scratch_id, bumped.revision - 1, input.expected_revision);
    const old = yield* findCell(db, bumped.pad_key, input.cell_id);
    if (old === undefined) throw unknownCells(input.scratch_id, [input.cell_id]);
    expectIndex('new_index', input.new_index, bumped.cell_count);
    const { tagList: _tagList, ...fields } = given;
    const cell = {
      ...fields,
      cell_id: old.cell_id,
      position: input.new_index ?? old.position,
      revision: old.revision + 1,
    };
    return yield* writeCell(db, bumped, old, cell, 'replaced', input.cells, actor);
  }

  /** Replaces a cell whose pad is already counted as changed, and keeps the former version. */
  function* writeCell(
    db: Writer,
    bumped: PadRow,
    old: StoredCell,
    cell: CellRow,
    action: 'replaced' | 'restored',
    shown: ShownCells,
    actor: string,
  ): Work<ReplacedCell> {
    const shift = toShift(old.position, cell.position);
    let restore: RestoreCall | undefined;
    if (!isSameCell(old, cell)) restore = yield* recordChange(db, bumped, old, action, actor);
    else if (shift !== undefined) yield* recordMove(db, bumped, old, cell.position, actor);
    if (shift !== undefined) yield* shiftCells(db, bumped.pad_key, shift.from, shift.to, shift.by);
    yield* updateCell(db, bumped.pad_key, cell);
    // Tags are listed in the order of the cells, so a moved cell can change their order too.
    const isTagged = old.tags !== '[]' || cell.tags !== '[]';
    const pad =
      old.tags === cell.tags && (shift === undefined || !isTagged) ? bumped : yield* recomputeCellTags(db, bumped);
    yield* documents.put(db, [toCellDocument(pad, cell)]);
    yield* db.changed(padTopic, pad.scratch_id, 'update', hashOfPad(pad));
    yield* db.changed(cellTopic, cellDocumentId(pad.scratch_id, cell.cell_id), 'update', sha256Hex(cell.content));
    const listed = yield* listShownCells(db, pad, { from: cell.position, to: cell.position }, shown);
    return {
      scratchpad: toLightPad(pad, listed),
      padKey: pad.pad_key,
      index: cell.position,
      restore,
    };
  }

  const run = async (input: ReplaceInput, call: Call): Promise<WriteAnswer> => {
    const { cell_id: otherId } = input.cell;
    if (otherId !== undefined && otherId !== input.cell_id) {
      throw notebookFaults.INVALID_ID(
        { why: `cell.cell_id is ${otherId}, but cell_id is ${input.cell_id}: a cell keeps its id` },
        { field: 'cell.cell_id', fix: `Leave out cell.cell_id, or send ${input.cell_id}.` },
      );
    }
    const given = toCellFields(input.cell, maxCellBytes);
    const written = await storage.write(call, (db) => replace(db, input, given, call.actor));
    context.access.note(call.tenant, input.scratch_id);
    const { scratchpad, restore } = written;
    const validation = await context.validate(call, written, [input.cell], written.index);
    return {
      ok: true,
      scratchpad,
      ...cursorOfRest(context.cursors, call, scratchpad),
      ...(restore !== undefined && { restore }),
      ...(validation !== undefined && { validation }),
    };
  };

  return { run, writeCell };
}
