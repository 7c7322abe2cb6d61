import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import type { CellInput, LightPad } from '../notebook-model.ts';
import { cellDocumentId, toCellDocument } from '../search/notebook-documents.ts';
import type { ValidationResult } from '../validation/validation-result.ts';
import { insertCells, listLightCells } from './cell-store.ts';
import type { PadContext, WrittenPad } from './pad-context.ts';
import { expectRevision, limitCellTags, overLimit, padMissing } from './pad-faults.ts';
import { addToTotals, bumpPad, type PadRow, setCellTags } from './pad-store.ts';
import { addTags, compareTags, parseTags, uniteTags } from './pad-tags.ts';
import { toLightPad } from './pad-views.ts';
import { cellTopic, hashOfPad, padTopic } from './remove-pad.ts';
import { type CellFields, toCellFields } from './to-cell-row.ts';

export interface AppendInput {
  readonly scratch_id: string;
  readonly cell: CellInput;
  readonly expected_revision?: number | undefined;
}

export interface WriteAnswer {
  readonly ok: true;
  readonly scratchpad: LightPad;
  readonly validation?: readonly ValidationResult[];
}

/** Adds the tags of a new cell that no other cell of the pad has. */
function* addCellTags(db: Writer, pad: PadRow, tagList: readonly string[]): Work<PadRow> {
  if (tagList.length === 0) return pad;
  const before = parseTags(pad.cell_tags);
  const after = uniteTags(before, tagList);
  const { added } = compareTags(before, after);
  if (added.length === 0) return pad;
  limitCellTags(after);
  const cell_tags = JSON.stringify(after);
  yield* setCellTags(db, pad.scratch_id, cell_tags);
  yield* addTags(db, pad, 'cell', added);
  return { ...pad, cell_tags };
}

export function createAppend(context: PadContext) {
  const { storage, ids, documents, access, maxCellsPerPad, maxCellBytes } = context;

  function* append(db: Writer, input: AppendInput, given: CellFields, cellId: string): Work<WrittenPad> {
    const bumped = yield* bumpPad(db, input.scratch_id, 1);
    if (bumped === undefined) throw padMissing(input.scratch_id);
    expectRevision(input.scratch_id, bumped.revision - 1, input.expected_revision);
    if (maxCellsPerPad > 0 && bumped.cell_count > maxCellsPerPad) {
      throw overLimit(`the scratchpad already has ${maxCellsPerPad} cells, the maximum`, maxCellsPerPad);
    }
    const { tagList, ...fields } = given;
    const cell = { ...fields, cell_id: cellId, position: bumped.cell_count - 1, revision: 1 };
    if ((yield* insertCells(db, bumped.pad_key, [cell])) === 0) {
      throw faults.CONFLICT({ why: `The scratchpad already has a cell ${cellId}` }, { cell_id: cellId });
    }
    yield* addToTotals(db, 0, 1);
    const pad = yield* addCellTags(db, bumped, tagList);
    const cells = yield* listLightCells(db, pad.pad_key);
    yield* documents.put(db, [toCellDocument(pad, cell)]);
    yield* db.changed(padTopic, pad.scratch_id, 'update', hashOfPad(pad));
    yield* db.changed(cellTopic, cellDocumentId(pad.scratch_id, cellId), 'create', sha256Hex(cell.content));
    return { scratchpad: toLightPad(pad, cells), padKey: pad.pad_key };
  }

  return async (input: AppendInput, call: Call): Promise<WriteAnswer> => {
    const given = toCellFields(input.cell, maxCellBytes);
    const cellId = input.cell.cell_id ?? ids.uuid();
    const written = await storage.write(call, (db) => append(db, input, given, cellId));
    access.note(call.tenant, input.scratch_id);
    const { scratchpad } = written;
    if (!input.cell.validate) return { ok: true, scratchpad };
    const validation = await context.validate(call, written, [input.cell], scratchpad.cells.length - 1);
    return validation === undefined ? { ok: true, scratchpad } : { ok: true, scratchpad, validation };
  };
}
