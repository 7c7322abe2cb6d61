import type { Work, Writer } from '#kernel/storage/port.ts';
import type { RestoreCall } from '#kernel/tool/restore-call.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { type CellRow, cellHash, type StoredCell } from '../pads/cell-store.ts';
import type { PadRow } from '../pads/pad-store.ts';
import { restoreTool } from '../pads/remove-pad.ts';
import {
  addToHistoryBytes,
  type ChangeAction,
  type ChangeRow,
  type Dropped,
  dropChangesUpTo,
  dropObsoleteChanges,
  dropOldChanges,
  dropOldestContents,
  insertChanges,
  moveChanges,
} from './history-store.ts';

type ChangedPad = Pick<PadRow, 'scratch_id' | 'pad_key' | 'revision'>;

const unchanged = {
  ...{ position: null, new_position: null, version: null, language: null, validate: null, tags: null },
  ...{ content_bytes: null, kept_bytes: 0, json_schema: null, metadata: null, content: null },
} as const;

const contentKeys = ['language', 'validate', 'tags', 'json_schema', 'metadata', 'content'] as const;

/** Whether a write changes no more than the position. */
export const isSameCell = (a: CellRow, b: CellRow): boolean => contentKeys.every((key) => a[key] === b[key]);

const toChange = (db: Writer, pad: ChangedPad, cellId: string, action: ChangeAction, actor: string): ChangeRow => ({
  ...unchanged,
  ...{ cell_id: cellId, number: pad.revision, action, actor, at: db.now },
});

/** Without ids for all cells of a new pad: one row for all of them. */
export const recordCreation = (db: Writer, pad: ChangedPad, actor: string, cellIds: readonly string[] = ['']) =>
  insertChanges(
    db,
    pad.pad_key,
    cellIds.map((id) => toChange(db, pad, id, 'created', actor)),
  );

export function* recordMove(db: Writer, pad: ChangedPad, cell: CellRow, to: number, actor: string): Work<void> {
  const change = toChange(db, pad, cell.cell_id, 'moved', actor);
  yield* insertChanges(db, pad.pad_key, [{ ...change, position: cell.position, new_position: to }]);
  yield* keepNewest(db, pad, cell.cell_id, 0);
}

/** What a change says about a cell that moved to another pad, or came from it. */
export interface Transfer {
  readonly from_scratch_id?: string;
  readonly to_scratch_id?: string;
  /** Who wrote the cell; moving it does not change that. */
  readonly author?: string | undefined;
}

/** The history of a cell goes with it; the former pad keeps where it went. */
export function* recordTransfer(
  db: Writer,
  { from, to, cell, index, author }: TransferredCell,
  actor: string,
): Work<void> {
  const { cell_id, position } = cell;
  yield* countDropped(db, yield* dropObsoleteChanges(db, to.pad_key, cell_id, from.pad_key));
  yield* moveChanges(db, from.pad_key, cell_id, to.pad_key);
  const change = (pad: ChangedPad, transfer: Transfer): ChangeRow => ({
    ...toChange(db, pad, cell_id, 'moved', actor),
    ...{ position, new_position: index, metadata: JSON.stringify(transfer) },
  });
  yield* insertChanges(db, from.pad_key, [change(from, { to_scratch_id: to.scratch_id })]);
  yield* insertChanges(db, to.pad_key, [change(to, { from_scratch_id: from.scratch_id, author })]);
  yield* keepNewest(db, to, cell_id, 0);
}

interface TransferredCell {
  readonly from: ChangedPad;
  readonly to: ChangedPad;
  /** Before the move. */
  readonly cell: Pick<CellRow, 'cell_id' | 'position'>;
  /** Its new position. */
  readonly index: number;
  readonly author: string | undefined;
}

export function* recordRestore(db: Writer, pad: ChangedPad, cellId: string, actor: string): Work<void> {
  yield* insertChanges(db, pad.pad_key, [toChange(db, pad, cellId, 'restored', actor)]);
}

const bytesOf = ({ content_bytes, metadata, json_schema, tags }: CellRow): number =>
  content_bytes + metadata.length + tags.length + (json_schema?.length ?? 0);

/** Keeps what the cell said. Returns the call that brings it back; a damaged cell is not worth keeping. */
export function* recordChange(
  db: Writer,
  pad: ChangedPad,
  old: StoredCell,
  action: 'replaced' | 'deleted' | 'restored',
  actor: string,
): Work<RestoreCall | undefined> {
  const { row_hash: _hash, revision, ...former } = old;
  const change = { ...toChange(db, pad, old.cell_id, action, actor), position: old.position };
  if (!cellHash.isIntact(old)) {
    yield* insertChanges(db, pad.pad_key, [change]);
    return undefined;
  }
  const kept_bytes = bytesOf(old);
  yield* insertChanges(db, pad.pad_key, [{ ...change, ...former, version: revision, kept_bytes }]);
  yield* keepNewest(db, pad, old.cell_id, kept_bytes);
  return {
    tool: restoreTool,
    arguments: { scratch_id: pad.scratch_id, cell_id: old.cell_id, copy: String(revision) },
  };
}

/** Leaves only that the cell was deleted, and by whom. */
export function* dropHistory(db: Writer, pad: ChangedPad, cellId: string, actor: string): Work<undefined> {
  yield* countDropped(db, yield* dropChangesUpTo(db, pad.pad_key, cellId, Number.MAX_SAFE_INTEGER));
  yield* insertChanges(db, pad.pad_key, [toChange(db, pad, cellId, 'deleted', actor)]);
}

const sumDropped = (rows: readonly Dropped[]): number => rows.reduce((sum, row) => sum + row.kept_bytes, 0);

export function* countDropped(db: Writer, rows: readonly Dropped[]): Work<void> {
  if (rows.length > 0) yield* addToHistoryBytes(db, -sumDropped(rows));
}

/** Enforces the limits per cell and per tenant. */
function* keepNewest(db: Writer, pad: ChangedPad, cellId: string, addedBytes: number): Work<void> {
  const dropped = yield* dropOldChanges(db, pad.pad_key, cellId, notebookLimits.cellChangesCount);
  const by = addedBytes - sumDropped(dropped);
  if (by === 0) return;
  const totals = yield* addToHistoryBytes(db, by);
  if ((totals?.history_bytes ?? 0) > notebookLimits.historyBytes) yield* dropOldest(db);
}

/** Drops some of the oldest contents of a tenant that is above its limit; a write must take a bounded time. */
export function* dropOldest(db: Writer): Work<void> {
  yield* countDropped(db, yield* dropOldestContents(db, notebookLimits.historyDropCount));
}
