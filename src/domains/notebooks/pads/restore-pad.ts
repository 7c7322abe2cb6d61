import type { Call } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { listTrash, type TrashItem, takeFromTrash } from '#kernel/storage/trash.ts';
import { enterNamespace } from '../namespaces/enter-namespace.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { checkScratchId, type LightPad } from '../notebook-model.ts';
import { toCellDocument, toPadDocument } from '../search/notebook-documents.ts';
import { findIndexedCells, listCellIdsAfter } from '../search/notebook-search-store.ts';
import type { WriteAnswer } from './append-cell.ts';
import { listLightCells } from './cell-store.ts';
import type { PadContext } from './pad-context.ts';
import { overLimit } from './pad-faults.ts';
import { addToTotals, insertPad } from './pad-store.ts';
import { addTags, parseTags } from './pad-tags.ts';
import { deleteRemoval, listTrashedPads } from './pad-trash-store.ts';
import { type PadViewRow, toLightPad } from './pad-views.ts';
import { hashOfPad, padTopic, type RemovalReason, type TrashedPadRow, trashId } from './remove-pad.ts';

export interface TrashedPad {
  readonly scratch_id: string;
  /** Distinguishes several copies with the same id. */
  readonly pad_key: string;
  readonly title: string | null;
  readonly namespace: string | null;
  readonly cell_count: number;
  readonly reason: RemovalReason;
  readonly removed_at: string;
  readonly removed_by: string;
}

export interface RestoreInput {
  readonly scratch_id: string;
  /** The newest copy when absent. */
  readonly pad_key?: string | undefined;
  /** A new id for the restored pad. */
  readonly as?: string | undefined;
}

/** The ids of all copies of a pad in the trash lie between these two. */
export const firstCopy = (scratchId: string): string => `${scratchId}/`;
export const afterCopies = (scratchId: string): string => `${scratchId}0`;

/** Of several copies from the same millisecond, the one with the highest revision. */
function newestOf(copies: readonly TrashItem[]): TrashItem | undefined {
  const revisionOf = ({ document }: TrashItem): number => (JSON.parse(document) as TrashedPadRow).revision;
  const last = copies.filter(({ at }) => at === copies[0]?.at);
  return last.length < 2 ? last[0] : last.toSorted((a, b) => revisionOf(b) - revisionOf(a))[0];
}

function toTrashedPad({ document, at, actor }: TrashItem): TrashedPad {
  const { scratch_id, pad_key, title, namespace, cell_count, reason } = JSON.parse(document) as TrashedPadRow;
  return { scratch_id, pad_key, title, namespace, cell_count, reason, removed_at: toIso(at), removed_by: actor };
}

export function createTrash({ storage, ids, documents, maxScratchpads }: PadContext) {
  function* takeCopy(db: Writer, { scratch_id, pad_key }: RestoreInput): Work<TrashedPadRow> {
    let id = trashId(scratch_id, pad_key ?? '');
    if (pad_key === undefined) {
      const from = firstCopy(scratch_id);
      const copies = yield* listTrashedPads(db, padTopic, from, afterCopies(scratch_id), notebookLimits.trashPageCount);
      const newest = newestOf(copies);
      if (newest === undefined) throw faults.NOT_FOUND({ what: `scratchpad ${scratch_id} in the trash` });
      id = newest.id;
    }
    const copy = yield* takeFromTrash(db, padTopic, id);
    return JSON.parse(copy.document) as TrashedPadRow;
  }

  /** In pages, because a pad can hold a lot of text. */
  function* putDocuments(db: Writer, pad: PadViewRow): Work<void> {
    yield* documents.put(db, [toPadDocument(pad)]);
    for (let after = ''; ; ) {
      const page = yield* listCellIdsAfter(db, pad.pad_key, after, notebookLimits.documentsPageCount);
      const keys = page.map(({ cell_id }) => ({ pad_key: pad.pad_key, cell_id }));
      const cells = page.length === 0 ? [] : yield* findIndexedCells(db, keys);
      if (cells.length > 0) {
        yield* documents.put(
          db,
          cells.map((cell) => toCellDocument(pad, cell)),
        );
      }
      const last = page.at(-1);
      if (last === undefined || page.length < notebookLimits.documentsPageCount) return;
      after = last.cell_id;
    }
  }

  function* restore(db: Writer, input: RestoreInput): Work<LightPad> {
    const { reason: _reason, ...trashed } = yield* takeCopy(db, input);
    const namespace_key = yield* enterNamespace(db, trashed.namespace, ids);
    const scratch_id = input.as ?? input.scratch_id;
    const row = { ...trashed, scratch_id, namespace_key, revision: trashed.revision + 1, updated_at: db.now };
    if ((yield* insertPad(db, row)) === 0) {
      throw faults.CONFLICT({ why: `A scratchpad ${scratch_id} already exists; restore under another id` });
    }
    const totals = yield* addToTotals(db, 1, row.cell_count);
    if (maxScratchpads > 0 && (totals?.pads_count ?? 0) > maxScratchpads) {
      throw overLimit(`there are already ${maxScratchpads} scratchpads, the maximum`, maxScratchpads);
    }
    if ((yield* deleteRemoval(db, row.pad_key)) === 0) throw new Error('bug: a trashed pad without its contents');
    yield* addTags(db, row, 'pad', parseTags(row.tags));
    yield* addTags(db, row, 'cell', parseTags(row.cell_tags));
    const cells = yield* listLightCells(db, row.pad_key);
    yield* putDocuments(db, row);
    yield* db.changed(padTopic, scratch_id, 'create', hashOfPad(row));
    return toLightPad(row, cells);
  }

  return {
    async trashed(
      { limit = notebookLimits.trashPageCount, before }: { readonly limit?: number; readonly before?: TrashedPad },
      call: Call,
    ): Promise<readonly TrashedPad[]> {
      const from =
        before === undefined
          ? { at: Number.MAX_SAFE_INTEGER, id: '' }
          : { at: Date.parse(before.removed_at), id: trashId(before.scratch_id, before.pad_key) };
      const rows = await storage.read(call, (db) => listTrash(db, padTopic, from, limit));
      return rows.map(toTrashedPad);
    },
    async restore(input: RestoreInput, call: Call): Promise<WriteAnswer> {
      if (input.as !== undefined) checkScratchId(input.as);
      return { ok: true, scratchpad: await storage.write(call, (db) => restore(db, input)) };
    },
  };
}
