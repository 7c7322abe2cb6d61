import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import { cursorFix } from '#kernel/cursor/cursor.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { listTrash, type TrashItem, takeFromTrash } from '#kernel/storage/trash.ts';
import { enterNamespace } from '../namespaces/enter-namespace.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { checkScratchId, type LightPad } from '../notebook-model.ts';
import type { WriteAnswer } from './append-cell.ts';
import { afterCopies, firstCopy, trashFix } from './former-versions.ts';
import type { PadContext } from './pad-context.ts';
import { putPadDocuments } from './pad-documents.ts';
import { tooManyPads } from './pad-faults.ts';
import { addToTotals, insertPad, type PadRow, takePad } from './pad-store.ts';
import { addTags, parseTags } from './pad-tags.ts';
import { deleteRemoval, listTrashedPads } from './pad-trash-store.ts';
import { toLightPad } from './pad-views.ts';
import {
  hashOfPad,
  padTopic,
  type RemovalReason,
  type TrashedPadRow,
  toPadRestore,
  trashId,
  trashPad,
} from './remove-pad.ts';
import { cursorOfRest, listShownCells } from './show-cells.ts';

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

export interface TrashPageInput {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface TrashPage {
  readonly ok: true;
  readonly scratchpads: readonly TrashedPad[];
  readonly next_cursor?: string;
}

const lastOfPage = z.object({ at: z.int(), id: z.string() });
type TrashPlace = z.infer<typeof lastOfPage>;
const firstPlace: TrashPlace = { at: Number.MAX_SAFE_INTEGER, id: '' };
const placeOf = ({ removed_at, scratch_id, pad_key }: TrashedPad): TrashPlace => ({
  at: Date.parse(removed_at),
  id: trashId(scratch_id, pad_key),
});

export interface RestoreInput {
  readonly scratch_id: string;
  /** The newest copy when absent. */
  readonly pad_key?: string | undefined;
  /** A new id for the restored pad. */
  readonly as?: string | undefined;
  /** Moves a pad that has the id now to the trash. */
  readonly replace?: boolean | undefined;
}

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

const trashTool = 'scratch_trash';

interface RestoredPad {
  readonly scratchpad: LightPad;
  /** Of the pad that had the id before. */
  readonly formerKey: string | undefined;
}

export function createTrash({ storage, ids, documents, cursors, maxScratchpads }: PadContext) {
  function* takeCopy(db: Writer, { scratch_id, pad_key }: RestoreInput): Work<TrashedPadRow> {
    let id = trashId(scratch_id, pad_key ?? '');
    if (pad_key === undefined) {
      const from = firstCopy(scratch_id);
      const copies = yield* listTrashedPads(db, padTopic, from, afterCopies(scratch_id), notebookLimits.trashPageCount);
      const newest = newestOf(copies);
      if (newest === undefined)
        throw faults.NOT_FOUND({ what: `scratchpad ${scratch_id} in the trash` }, { scratch_id, fix: trashFix });
      id = newest.id;
    }
    const copy = yield* takeFromTrash(db, padTopic, id, trashFix);
    return JSON.parse(copy.document) as TrashedPadRow;
  }

  /** Moves the pad that has the id now to the trash. */
  function* makeRoom(db: Writer, scratchId: string, actor: string): Work<PadRow | undefined> {
    const present = yield* takePad(db, scratchId);
    if (present !== undefined) yield* documents.drop(db, yield* trashPad(db, present, 'reset', actor));
    return present;
  }

  function* restore(db: Writer, input: RestoreInput, actor: string): Work<RestoredPad> {
    const { reason: _reason, ...trashed } = yield* takeCopy(db, input);
    const namespace_key = yield* enterNamespace(db, trashed.namespace, ids);
    const scratch_id = input.as ?? input.scratch_id;
    const former = input.replace === true ? yield* makeRoom(db, scratch_id, actor) : undefined;
    const revision = Math.max(trashed.revision, former?.revision ?? 0) + 1;
    const row = { ...trashed, scratch_id, namespace_key, revision, updated_at: db.now };
    if ((yield* insertPad(db, row)) === 0) {
      throw faults.CONFLICT(
        { why: `A scratchpad ${scratch_id} already exists; restore under another id` },
        { scratch_id, fix: 'Send as: "<another id>", or replace: true to move the present one to the trash.' },
      );
    }
    const totals = yield* addToTotals(db, 1, row.cell_count);
    if (maxScratchpads > 0 && (totals?.pads_count ?? 0) > maxScratchpads) {
      throw tooManyPads(`there are already ${maxScratchpads} scratchpads, the maximum`, maxScratchpads);
    }
    if ((yield* deleteRemoval(db, row.pad_key)) === 0) throw new Error('bug: a trashed pad without its contents');
    yield* addTags(db, row, 'pad', parseTags(row.tags));
    yield* addTags(db, row, 'cell', parseTags(row.cell_tags));
    const cells = yield* listShownCells(db, row, { from: 0, to: 0 }, undefined);
    yield* putPadDocuments(db, documents, row);
    yield* db.changed(padTopic, scratch_id, 'create', hashOfPad(row));
    return { scratchpad: toLightPad(row, cells), formerKey: former?.pad_key };
  }

  function openCursor(cursor: string | undefined, { tenant }: Call): TrashPlace {
    if (cursor === undefined) return firstPlace;
    const place = lastOfPage.safeParse(cursors.open(trashTool, tenant, cursor));
    if (place.success) return place.data;
    throw faults.INVALID_PARAMS({ why: 'the cursor is from another version' }, { field: 'cursor', fix: cursorFix });
  }

  const list = async (before: TrashPlace, limit: number, call: Call): Promise<readonly TrashedPad[]> =>
    (await storage.read(call, (db) => listTrash(db, padTopic, before, limit))).map(toTrashedPad);

  return {
    async trashed(
      { limit = notebookLimits.trashPageCount, before }: { readonly limit?: number; readonly before?: TrashedPad },
      call: Call,
    ): Promise<readonly TrashedPad[]> {
      return await list(before === undefined ? firstPlace : placeOf(before), limit, call);
    },
    async trashPage({ limit, cursor }: TrashPageInput, call: Call): Promise<TrashPage> {
      const found = await list(openCursor(cursor, call), limit + 1, call);
      const scratchpads = found.slice(0, limit);
      const last = scratchpads.at(-1);
      if (found.length <= limit || last === undefined) return { ok: true, scratchpads };
      return { ok: true, scratchpads, next_cursor: cursors.seal(trashTool, call.tenant, placeOf(last)) };
    },
    async restore(input: RestoreInput, call: Call): Promise<WriteAnswer> {
      if (input.as !== undefined) checkScratchId(input.as);
      const { scratchpad, formerKey } = await storage.write(call, (db) => restore(db, input, call.actor));
      const { scratch_id } = scratchpad;
      return {
        ok: true,
        scratchpad,
        ...cursorOfRest(cursors, call, scratchpad),
        ...(formerKey !== undefined && { restore: toPadRestore({ scratch_id, copy: formerKey, replace: true }) }),
      };
    },
  };
}
