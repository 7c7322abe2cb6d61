import type { Call } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { listTrash, type TrashItem, takeFromTrash } from '#kernel/storage/trash.ts';
import { enterNamespace } from '../../namespaces/register.ts';
import { notebookLimits } from '../../notebook-limits.ts';
import { checkScratchId, type LightPad } from '../../notebook-model.ts';
import { toCellDocument, toPadDocument } from '../../search/documents.ts';
import type { WriteAnswer } from '../append-cell.ts';
import type { PadParts } from '../pad-parts.ts';
import { addToTotals, insertPad, listLightCells } from '../pad-store.ts';
import { type ShownPadRow, toLightPad } from '../rules/show.ts';
import { parseTags } from '../rules/tags.ts';
import { overLimit } from '../rules/to-cell-row.ts';
import { addTags } from '../tags/tags.ts';
import { deleteRemoval, foundCells, newestCopies } from './pad-trash-store.ts';
import { copyId, hashOfPad, padTopic, type RemovalReason, type RemovedPad } from './remove-pad.ts';

export interface TrashedPad {
  readonly scratch_id: string;
  /** Tells several copies of one id apart. */
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
  /** One copy of several; the newest when absent. */
  readonly pad_key?: string | undefined;
  /** Another id to come back under. */
  readonly as?: string | undefined;
}

/** The copies of an id stand between these. */
export const firstCopy = (scratchId: string): string => `${scratchId}/`;
export const afterCopies = (scratchId: string): string => `${scratchId}0`;

/** Of several copies of one moment the one that was written to last. */
function newestOf(copies: readonly TrashItem[]): TrashItem | undefined {
  const revisionOf = ({ document }: TrashItem): number => (JSON.parse(document) as RemovedPad).revision;
  const last = copies.filter(({ at }) => at === copies[0]?.at);
  return last.length < 2 ? last[0] : last.toSorted((a, b) => revisionOf(b) - revisionOf(a))[0];
}

function toTrashedPad({ document, at, actor }: TrashItem): TrashedPad {
  const { scratch_id, pad_key, title, namespace, cell_count, reason } = JSON.parse(document) as RemovedPad;
  return { scratch_id, pad_key, title, namespace, cell_count, reason, removed_at: toIso(at), removed_by: actor };
}

export function createRestore({ storage, ids, documents, maxScratchpads }: PadParts) {
  function* takeCopy(db: Writer, { scratch_id, pad_key }: RestoreInput): Work<RemovedPad> {
    let id = copyId(scratch_id, pad_key ?? '');
    if (pad_key === undefined) {
      const from = firstCopy(scratch_id);
      const copies = yield* newestCopies(db, padTopic, from, afterCopies(scratch_id), notebookLimits.trashPageCount);
      const newest = newestOf(copies);
      if (newest === undefined) throw faults.NOT_FOUND({ what: `scratchpad ${scratch_id} in the trash` });
      id = newest.id;
    }
    const copy = yield* takeFromTrash(db, padTopic, id);
    return JSON.parse(copy.document) as RemovedPad;
  }

  /** The documents are made anew, in pieces: a pad can hold a great deal of text. */
  function* putDocuments(db: Writer, pad: ShownPadRow): Work<void> {
    yield* documents.put(db, [toPadDocument(pad)]);
    for (let after = ''; ; ) {
      const cells = yield* foundCells(
        db,
        pad.pad_key,
        after,
        notebookLimits.documentChars,
        notebookLimits.documentsPageCount,
      );
      if (cells.length > 0) {
        yield* documents.put(
          db,
          cells.map((cell) => toCellDocument(pad, cell)),
        );
      }
      const last = cells.at(-1);
      if (last === undefined || cells.length < notebookLimits.documentsPageCount) return;
      after = last.cell_id;
    }
  }

  function* restore(db: Writer, input: RestoreInput): Work<LightPad> {
    const { reason: _reason, ...kept } = yield* takeCopy(db, input);
    const namespace_key = yield* enterNamespace(db, kept.namespace, ids);
    const scratch_id = input.as ?? input.scratch_id;
    const row = { ...kept, scratch_id, namespace_key, revision: kept.revision + 1, updated_at: db.now };
    if ((yield* insertPad(db, row)) === 0) {
      throw faults.CONFLICT({ why: `A scratchpad ${scratch_id} exists already; restore under another id` });
    }
    const totals = yield* addToTotals(db, 1, row.cell_count);
    if (maxScratchpads > 0 && (totals?.pads_count ?? 0) > maxScratchpads) {
      throw overLimit(`there are ${maxScratchpads} scratchpads, as many as may be`, maxScratchpads);
    }
    if ((yield* deleteRemoval(db, row.pad_key)) === 0) throw new Error('bug: a copy without its contents');
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
          : { at: Date.parse(before.removed_at), id: copyId(before.scratch_id, before.pad_key) };
      const rows = await storage.read(call, function* (db) {
        return yield* listTrash(db, padTopic, from, limit);
      });
      return rows.map(toTrashedPad);
    },
    async restore(input: RestoreInput, call: Call): Promise<WriteAnswer> {
      if (input.as !== undefined) checkScratchId(input.as);
      return { ok: true, scratchpad: await storage.write(call, (db) => restore(db, input)) };
    },
  };
}
