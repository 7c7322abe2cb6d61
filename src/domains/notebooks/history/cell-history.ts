import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import { cursorFix } from '#kernel/cursor/cursor.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import type { RestoreCall } from '#kernel/tool/restore-call.ts';
import { notebookLimits } from '../notebook-limits.ts';
import type { FullCell } from '../notebook-model.ts';
import { type CellRow, firstChars } from '../pads/cell-store.ts';
import { takeFormer } from '../pads/former-versions.ts';
import type { PadContext } from '../pads/pad-context.ts';
import { padMissing } from '../pads/pad-faults.ts';
import { findPad, type PadRow } from '../pads/pad-store.ts';
import { parseTags } from '../pads/pad-tags.ts';
import { toFullCell } from '../pads/pad-views.ts';
import { cellTopic, restoreTool } from '../pads/remove-pad.ts';
import { cellDocumentId } from '../search/notebook-documents.ts';
import {
  type ChangeAction,
  type ChangeRow,
  findChange,
  findNewestVersion,
  findNextChange,
  findTransfer,
  findVersion,
  listChanges,
} from './history-store.ts';
import type { Transfer } from './record-change.ts';

export interface CellChange {
  readonly change: number;
  /** Absent for the creation of the pad with its cells. */
  readonly cell_id?: string;
  readonly action: ChangeAction;
  readonly actor: string;
  readonly at: string;
  readonly index?: number;
  readonly new_index?: number;
  /** Of a cell that came from another pad. */
  readonly from_scratch_id?: string;
  /** Of a cell that went to another pad. */
  readonly to_scratch_id?: string;
  /** The rest describes the cell before the change, if it changed. */
  readonly version?: number;
  readonly language?: string;
  readonly tags?: readonly string[];
  readonly content_bytes?: number;
  readonly preview?: string;
  readonly restore?: RestoreCall;
}

export interface HistoryInput {
  readonly scratch_id: string;
  readonly cell_id?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface HistoryAnswer {
  readonly ok: true;
  readonly scratch_id: string;
  readonly revision: number;
  readonly changes: readonly CellChange[];
  readonly next_cursor?: string;
}

export interface ReadChangeInput {
  readonly scratch_id: string;
  readonly cell_id: string;
  readonly change: number;
}

export interface ReadChangeAnswer {
  readonly ok: true;
  readonly scratch_id: string;
  readonly change: CellChange;
  readonly cell: FullCell;
  readonly next_change?: number;
}

const cursorState = z.object({
  pad: z.string(),
  cell: z.string().optional(),
  number: z.int(),
  cell_id: z.string(),
});

const start = { number: Number.MAX_SAFE_INTEGER, cell_id: '' };

/** A change that kept what the cell said before. */
type Kept = ChangeRow & CellRow & { readonly version: number };
const isKept = (row: ChangeRow): row is Kept => row.version !== null;

/** A move keeps no former cell; its metadata says between which pads. */
function transferOf({ action, metadata }: ChangeRow): Pick<CellChange, 'from_scratch_id' | 'to_scratch_id'> {
  if (action !== 'moved' || metadata === null) return {};
  const { author: _author, ...pads } = JSON.parse(metadata) as Transfer;
  return pads;
}

function toCellChange(scratchId: string, row: ChangeRow): CellChange {
  const { number: change, cell_id, action, actor, at, position, new_position } = row;
  return {
    ...{ change, action, actor, at: toIso(at) },
    ...(cell_id !== '' && { cell_id }),
    ...(position !== null && { index: position }),
    ...(new_position !== null && { new_index: new_position }),
    ...transferOf(row),
    ...(isKept(row) && {
      version: row.version,
      language: row.language,
      tags: parseTags(row.tags),
      content_bytes: row.content_bytes,
      ...(row.content !== null && { preview: firstChars(row.content, notebookLimits.previewChars) }),
      restore: { tool: restoreTool, arguments: { scratch_id: scratchId, cell_id, change } },
    }),
  };
}

const noFormer = (scratchId: string, what: string) =>
  faults.NOT_FOUND(
    { what },
    { fix: `scratch_history {"scratch_id": "${scratchId}"} lists the changes whose former content is kept.` },
  );

function* expectPad(db: Reader, scratchId: string): Work<PadRow> {
  const pad = yield* findPad(db, scratchId);
  if (pad === undefined) throw padMissing(scratchId);
  return pad;
}

function* expectKept(db: Reader, pad: Pick<PadRow, 'scratch_id' | 'pad_key'>, cellId: string, number: number) {
  const row = yield* findChange(db, pad.pad_key, cellId, number);
  if (row !== undefined && isKept(row)) return row;
  throw noFormer(pad.scratch_id, `the content of cell ${cellId} before change ${number}`);
}

/** A cell that was moved took its versions along. */
function* expectNotMoved(db: Reader, scratchId: string, cellId: string): Work<void> {
  const transfer = yield* findTransfer(db, scratchId, cellId);
  const { to_scratch_id: to } = transfer === undefined ? {} : (JSON.parse(transfer.metadata) as Transfer);
  if (to === undefined) return;
  const back = `scratch_move_cell {"scratch_id": "${to}", "cell_id": "${cellId}", "to_scratch_id": "${scratchId}"}`;
  throw faults.NOT_FOUND(
    { what: `cell ${cellId} of ${scratchId}: it was moved to ${to}` },
    { moved_to: to, fix: `${back} moves it back; scratch_history of ${to} shows its former versions.` },
  );
}

export interface FormerCellInput {
  readonly cell_id: string;
  /** A former revision of the cell. */
  readonly copy?: string | undefined;
  readonly change?: number | undefined;
}

/** The former version that a restore asks for; the newest one that differs from the present cell by default. */
export function* findFormerCell(
  db: Writer,
  pad: Pick<PadRow, 'scratch_id' | 'pad_key'>,
  { cell_id, copy, change }: FormerCellInput,
  present: CellRow | undefined,
): Work<CellRow> {
  const toCell = ({ version, position, ...row }: Kept): CellRow => ({
    ...row,
    position: position ?? 0,
    revision: version,
  });
  if (change !== undefined) return toCell(yield* expectKept(db, pad, cell_id, change));
  const version = Number(copy);
  let kept: ChangeRow | undefined;
  if (copy === undefined) kept = yield* findNewestVersion(db, pad.pad_key, cell_id, present);
  else if (Number.isSafeInteger(version)) kept = yield* findVersion(db, pad.pad_key, cell_id, version);
  if (kept !== undefined && isKept(kept)) return toCell(kept);
  if (copy === undefined) yield* expectNotMoved(db, pad.scratch_id, cell_id);
  // Versions that are older than the history are still in the trash.
  const id = cellDocumentId(pad.scratch_id, cell_id);
  return yield* takeFormer<CellRow>(db, cellTopic, id, copy, `a former version of cell ${cell_id}`);
}

export interface CellHistory {
  /** Newest first. */
  list(input: HistoryInput, call: Call): Promise<HistoryAnswer>;
  /** What a cell said before a change. */
  read(input: ReadChangeInput, call: Call): Promise<ReadChangeAnswer>;
}

export function createCellHistory({ storage, access, cursors }: Pick<PadContext, 'storage' | 'access' | 'cursors'>) {
  function openCursor({ cursor, cell_id }: HistoryInput, padKey: string, call: Call): typeof start {
    if (cursor === undefined) return start;
    const state = cursorState.safeParse(cursors.open(call.tool, call.tenant, cursor));
    if (state.success && state.data.pad === padKey && state.data.cell === cell_id) return state.data;
    throw faults.INVALID_PARAMS(
      { why: 'the cursor is from another history or another version' },
      { field: 'cursor', fix: cursorFix },
    );
  }

  /** A cell that was created with its pad has no creation of its own. */
  function* withCreation(db: Reader, padKey: string, rows: readonly ChangeRow[]): Work<readonly ChangeRow[]> {
    if (rows.at(-1)?.action === 'created') return rows;
    const page = { cellId: '', before: start, limit: 1, bytes: 0 };
    return [...rows, ...(yield* listChanges(db, padKey, page))];
  }

  const history: CellHistory = {
    async list(input, call) {
      const { scratch_id, cell_id: cellId, limit = notebookLimits.changesDefaultCount } = input;
      const { pad, rows, isLast } = await storage.read(call, function* (db) {
        const found = yield* expectPad(db, scratch_id);
        const before = openCursor(input, found.pad_key, call);
        const page = { cellId, before, limit: limit + 1, bytes: notebookLimits.readRowMinBytes };
        const all = yield* listChanges(db, found.pad_key, page);
        if (all.length > limit) return { pad: found, rows: all.slice(0, limit), isLast: false };
        const rest = cellId === undefined ? all : yield* withCreation(db, found.pad_key, all);
        return { pad: found, rows: rest, isLast: true };
      });
      access.note(call.tenant, scratch_id);
      const changes = rows.map((row) => toCellChange(scratch_id, row));
      const answer = { ok: true, scratch_id, revision: pad.revision, changes } as const;
      if (isLast) return answer;
      const { number, cell_id } = rows.at(-1)!;
      const state = { pad: pad.pad_key, ...(cellId !== undefined && { cell: cellId }), number, cell_id };
      return { ...answer, next_cursor: cursors.seal(call.tool, call.tenant, state) };
    },

    async read({ scratch_id, cell_id, change }, call) {
      const { row, next } = await storage.read(call, function* (db) {
        const pad = yield* expectPad(db, scratch_id);
        const kept = yield* expectKept(db, pad, cell_id, change);
        return { row: kept, next: yield* findNextChange(db, pad.pad_key, cell_id, change) };
      });
      access.note(call.tenant, scratch_id);
      const cell = { ...row, position: row.position ?? 0, revision: row.version };
      return {
        ok: true,
        scratch_id,
        change: toCellChange(scratch_id, row),
        cell: toFullCell(cell, row.content),
        ...(next !== undefined && { next_change: next.number }),
      };
    },
  };
  return history;
}
