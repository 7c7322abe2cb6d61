import type { Call } from '#kernel/call.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import type { RestoreCall } from '#kernel/tool/restore-call.ts';
import { findFormerCell } from '../history/cell-history.ts';
import { findLastVersion } from '../history/history-store.ts';
import { dropHistory, recordChange, recordRestore } from '../history/record-change.ts';
import { cellDocumentId, toCellDocument } from '../search/notebook-documents.ts';
import type { WriteAnswer } from './append-cell.ts';
import { type CellRow, deleteCell, findCell, insertCells, shiftCells } from './cell-store.ts';
import type { PadContext, WrittenPad } from './pad-context.ts';
import { expectRevision, padMissing, tooManyCells, unknownCells } from './pad-faults.ts';
import { addToTotals, bumpPad, changeCellCount, findPad, type PadRow } from './pad-store.ts';
import { toLightPad } from './pad-views.ts';
import { cellTopic, hashOfPad, padTopic } from './remove-pad.ts';
import { type createReplace, recomputeCellTags } from './replace-cell.ts';
import { cursorOfRest, listShownCells, type ShownCells } from './show-cells.ts';

export interface DeleteCellInput {
  readonly scratch_id: string;
  readonly cell_id: string;
  readonly expected_revision?: number | undefined;
  readonly cells?: ShownCells;
  readonly permanently?: boolean | undefined;
}

export interface RestoreCellInput {
  readonly scratch_id: string;
  readonly cell_id: string;
  /** The revision to restore; the newest former one when absent. */
  readonly copy?: string | undefined;
  /** The change to undo. */
  readonly change?: number | undefined;
}

interface ChangedPad extends WrittenPad {
  readonly restore?: RestoreCall | undefined;
}

export function createCellRemoval(
  context: PadContext,
  { writeCell }: Pick<ReturnType<typeof createReplace>, 'writeCell'>,
) {
  const { storage, documents, access, cursors, maxCellsPerPad } = context;

  function* remove(db: Writer, input: DeleteCellInput, actor: string): Work<ChangedPad> {
    const bumped = yield* bumpPad(db, input.scratch_id, -1);
    if (bumped === undefined) throw padMissing(input.scratch_id);
    expectRevision(input.scratch_id, bumped.revision - 1, input.expected_revision);
    const old = yield* findCell(db, bumped.pad_key, input.cell_id);
    if (old === undefined) throw unknownCells(input.scratch_id, [input.cell_id]);
    const restoreCall =
      input.permanently === true
        ? yield* dropHistory(db, bumped, old.cell_id, actor)
        : yield* recordChange(db, bumped, old, 'deleted', actor);
    yield* deleteCell(db, bumped.pad_key, old.cell_id);
    yield* shiftCells(db, bumped.pad_key, old.position + 1, bumped.cell_count, -1);
    yield* addToTotals(db, 0, -1);
    const pad = old.tags === '[]' ? bumped : yield* recomputeCellTags(db, bumped);
    yield* documents.drop(db, [cellDocumentId(pad.scratch_id, old.cell_id)]);
    yield* db.changed(padTopic, pad.scratch_id, 'update', hashOfPad(pad));
    yield* db.changed(cellTopic, cellDocumentId(pad.scratch_id, old.cell_id), 'delete', sha256Hex(old.content));
    const listed = yield* listShownCells(db, pad, { from: old.position, to: old.position }, input.cells);
    return {
      scratchpad: toLightPad(pad, listed),
      padKey: pad.pad_key,
      restore: restoreCall,
    };
  }

  /** A cell that was deleted before lives on in its history only. */
  function* removeFormer(db: Writer, input: DeleteCellInput, actor: string): Work<ChangedPad | undefined> {
    const pad = yield* findPad(db, input.scratch_id);
    if (pad === undefined) throw padMissing(input.scratch_id);
    const isPresent = (yield* findCell(db, pad.pad_key, input.cell_id)) !== undefined;
    const last = isPresent ? undefined : yield* findLastVersion(db, pad.pad_key, input.cell_id);
    if ((last?.version ?? null) === null) return undefined;
    const bumped = yield* bumpPad(db, input.scratch_id, 0);
    if (bumped === undefined) throw padMissing(input.scratch_id);
    expectRevision(input.scratch_id, bumped.revision - 1, input.expected_revision);
    yield* dropHistory(db, bumped, input.cell_id, actor);
    yield* db.changed(padTopic, bumped.scratch_id, 'update', hashOfPad(bumped));
    const listed = yield* listShownCells(db, bumped, { from: 0, to: 0 }, input.cells);
    return { scratchpad: toLightPad(bumped, listed), padKey: bumped.pad_key };
  }

  function* removeAll(db: Writer, input: DeleteCellInput, actor: string): Work<ChangedPad> {
    const former = input.permanently === true ? yield* removeFormer(db, input, actor) : undefined;
    return former ?? (yield* remove(db, input, actor));
  }

  /** Puts a deleted cell back at its former position, or at the end of a pad that is shorter now. */
  function* insert(db: Writer, bumped: PadRow, former: CellRow, actor: string): Work<ChangedPad> {
    const cell_count = bumped.cell_count + 1;
    if (maxCellsPerPad > 0 && cell_count > maxCellsPerPad) {
      throw tooManyCells(`the scratchpad already has ${maxCellsPerPad} cells, the maximum`, maxCellsPerPad);
    }
    const position = Math.min(former.position, bumped.cell_count);
    const last = (yield* findLastVersion(db, bumped.pad_key, former.cell_id))?.version ?? 0;
    const cell = { ...former, position, revision: Math.max(former.revision, last) + 1 };
    yield* changeCellCount(db, bumped.scratch_id, 1);
    yield* shiftCells(db, bumped.pad_key, position, bumped.cell_count, 1);
    yield* insertCells(db, bumped.pad_key, [cell]);
    yield* recordRestore(db, bumped, cell.cell_id, actor);
    yield* addToTotals(db, 0, 1);
    const counted = { ...bumped, cell_count };
    const pad = cell.tags === '[]' ? counted : yield* recomputeCellTags(db, counted);
    yield* documents.put(db, [toCellDocument(pad, cell)]);
    yield* db.changed(padTopic, pad.scratch_id, 'update', hashOfPad(pad));
    yield* db.changed(cellTopic, cellDocumentId(pad.scratch_id, cell.cell_id), 'create', sha256Hex(cell.content));
    const listed = yield* listShownCells(db, pad, { from: position, to: position }, undefined);
    return { scratchpad: toLightPad(pad, listed), padKey: pad.pad_key };
  }

  function* restore(db: Writer, { scratch_id, ...input }: RestoreCellInput, actor: string): Work<ChangedPad> {
    const bumped = yield* bumpPad(db, scratch_id, 0);
    if (bumped === undefined) throw padMissing(scratch_id);
    const present = yield* findCell(db, bumped.pad_key, input.cell_id);
    const former = yield* findFormerCell(db, bumped, input, present);
    if (present === undefined) return yield* insert(db, bumped, former, actor);
    const cell = { ...former, position: present.position, revision: present.revision + 1 };
    return yield* writeCell(db, bumped, present, cell, 'restored', undefined, actor);
  }

  const toAnswer = (written: ChangedPad, call: Call): WriteAnswer => ({
    ok: true,
    scratchpad: written.scratchpad,
    ...cursorOfRest(cursors, call, written.scratchpad),
    ...(written.restore !== undefined && { restore: written.restore }),
  });

  return {
    async deleteCell(input: DeleteCellInput, call: Call): Promise<WriteAnswer> {
      const written = await storage.write(call, (db) => removeAll(db, input, call.actor));
      access.note(call.tenant, input.scratch_id);
      return toAnswer(written, call);
    },
    async restoreCell(input: RestoreCellInput, call: Call): Promise<WriteAnswer> {
      const written = await storage.write(call, (db) => restore(db, input, call.actor));
      access.note(call.tenant, input.scratch_id);
      return toAnswer(written, call);
    },
  };
}
