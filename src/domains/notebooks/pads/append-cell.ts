import type { Call } from '#kernel/call.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import type { RestoreCall } from '#kernel/tool/restore-call.ts';
import { recordCreation } from '../history/record-change.ts';
import type { CellInput, LightPad } from '../notebook-model.ts';
import { cellDocumentId, toCellDocument } from '../search/notebook-documents.ts';
import type { ValidationResult } from '../validation/validation-result.ts';
import { type CellRow, insertCells } from './cell-store.ts';
import type { CreateAnswer, CreateInput } from './create-pad.ts';
import type { PadContext, WrittenPad } from './pad-context.ts';
import { cellTaken, expectRevision, limitCellTags, padMissing, tooManyCells } from './pad-faults.ts';
import { addToTotals, bumpPad, type PadRow, setCellTags } from './pad-store.ts';
import { addTags, compareTags, parseTags, uniteTags } from './pad-tags.ts';
import { toLightPad } from './pad-views.ts';
import { cellTopic, hashOfPad, padTopic } from './remove-pad.ts';
import { cursorOfRest, listShownCells, type ShownCells } from './show-cells.ts';
import { toCellFields } from './to-cell-row.ts';

export interface AppendInput {
  readonly scratch_id: string;
  readonly cell: CellInput;
  readonly expected_revision?: number | undefined;
  readonly create_if_missing?: boolean | undefined;
  readonly cells?: ShownCells;
}

export interface WriteAnswer {
  readonly ok: true;
  readonly scratchpad: LightPad;
  readonly next_cursor?: string;
  /** The pad did not exist. */
  readonly created?: true;
  readonly restore?: RestoreCall;
  readonly validation?: readonly ValidationResult[];
}

/** Adds the tags of new cells that no other cell of the pad has. */
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

/** Adds cells at the end of a pad whose row already counts them. */
export function* appendCells(
  db: Writer,
  { documents, maxCellsPerPad }: Pick<PadContext, 'documents' | 'maxCellsPerPad'>,
  bumped: PadRow,
  given: readonly CellRow[],
  shown: ShownCells,
  actor: string,
): Work<WrittenPad> {
  if (maxCellsPerPad > 0 && bumped.cell_count > maxCellsPerPad) {
    const count = bumped.cell_count - given.length;
    const limit = maxCellsPerPad;
    const why = count === limit ? `already has ${limit} cells, the maximum` : `has ${count} of at most ${limit} cells`;
    throw tooManyCells(`the scratchpad ${why}`, limit);
  }
  const from = bumped.cell_count - given.length;
  const cells = given.map((cell, i) => ({ ...cell, position: from + i }));
  if (cells.length > 0 && (yield* insertCells(db, bumped.pad_key, cells)) < cells.length) {
    throw cellTaken(
      bumped.scratch_id,
      cells.map(({ cell_id }) => cell_id),
    );
  }
  yield* addToTotals(db, 0, cells.length);
  const pad = yield* addCellTags(db, bumped, uniteTags(...cells.map(({ tags }) => parseTags(tags))));
  const listed = yield* listShownCells(db, pad, { from, to: pad.cell_count - 1 }, shown);
  if (cells.length > 0) {
    yield* recordCreation(
      db,
      pad,
      actor,
      cells.map(({ cell_id }) => cell_id),
    );
    yield* documents.put(
      db,
      cells.map((cell) => toCellDocument(pad, cell)),
    );
  }
  yield* db.changed(padTopic, pad.scratch_id, 'update', hashOfPad(pad));
  for (const { cell_id, content } of cells) {
    yield* db.changed(cellTopic, cellDocumentId(pad.scratch_id, cell_id), 'create', sha256Hex(content));
  }
  return { scratchpad: toLightPad(pad, listed), padKey: pad.pad_key };
}

export function createAppend(context: PadContext, create: (input: CreateInput, call: Call) => Promise<CreateAnswer>) {
  const { storage, ids, access, maxCellBytes, cursors } = context;

  return async (input: AppendInput, call: Call): Promise<WriteAnswer> => {
    const { scratch_id, cell, expected_revision, cells: shown } = input;
    // One write decides whether the pad exists, so that a repeated request adds nothing.
    if (input.create_if_missing === true && expected_revision === undefined) {
      const { appended, ...made } = await create({ scratch_id, cells: [cell], if_exists: 'append', shown }, call);
      return appended === true ? made : { ...made, created: true };
    }
    const { tagList: _tagList, ...fields } = toCellFields(cell, maxCellBytes);
    const row = { ...fields, cell_id: cell.cell_id ?? ids.uuid(), position: 0, revision: 1 };
    const written = await storage.write(call, function* (db) {
      const bumped = yield* bumpPad(db, scratch_id, 1);
      if (bumped === undefined) throw padMissing(scratch_id, createFix);
      expectRevision(scratch_id, bumped.revision - 1, expected_revision);
      return yield* appendCells(db, context, bumped, [row], shown, call.actor);
    });
    access.note(call.tenant, scratch_id);
    const { scratchpad } = written;
    const validation = await context.validate(call, written, [cell], scratchpad.cell_count - 1);
    return {
      ok: true,
      scratchpad,
      ...cursorOfRest(cursors, call, scratchpad),
      ...(validation !== undefined && { validation }),
    };
  };
}

const createFix =
  'Send create_if_missing: true to create it with this cell, or use an id that scratch_list shows; scratch_create creates one with metadata.';
