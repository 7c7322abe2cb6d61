import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { cursorFix } from '#kernel/cursor/cursor.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { type ChangeListener, createChangeTracker } from '#kernel/storage/change-tracker.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { namespaceTopic } from '../namespaces/enter-namespace.ts';
import { notebookLimits } from '../notebook-limits.ts';
import type { FullCell, FullPad, ListedCell } from '../notebook-model.ts';
import { schemasOf } from '../schemas/schema-store.ts';
import { type CellRange, findCells, previewCells, type ReadCellRow, readCells } from './cell-store.ts';
import type { PadContext } from './pad-context.ts';
import { padMissing, unknownCells } from './pad-faults.ts';
import { findPad, type PadRow } from './pad-store.ts';
import { parseTags, sharesTag } from './pad-tags.ts';
import { byPosition, toFullCell, toFullPad, toLightCell, toListedCell } from './pad-views.ts';
import { createRecentPads } from './recent-pads.ts';
import { padTopic } from './remove-pad.ts';
import { type CellListState, cellListTool, pageOf } from './show-cells.ts';

export interface CellFilter {
  readonly cell_ids?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
}

export interface ReadInput extends CellFilter {
  readonly scratch_id: string;
  readonly namespaces?: readonly string[] | undefined;
  readonly include_metadata?: boolean | undefined;
  /** A page of the cells. */
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

export interface ReadAnswer {
  readonly ok: true;
  readonly scratchpad: FullPad;
  readonly truncated?: true;
  /** The index of the first cell without content. */
  readonly nextOffset?: number;
}

export interface ListCellsInput extends CellFilter {
  readonly scratch_id: string;
  readonly cursor?: string | undefined;
}

const range = z.object({ from: z.int(), to: z.int() });
const cellListState = z.object({ at: z.int().min(0), skip: range });

export interface ListCellsAnswer {
  readonly ok: true;
  readonly scratch_id: string;
  readonly cells: readonly ListedCell[];
  readonly next_cursor?: string;
}

const isGiven = (list: readonly string[] | undefined): list is readonly string[] =>
  list !== undefined && list.length > 0;

/** Checks the ids before it filters by tags. */
function filterCells<Cell extends { readonly cell_id: string }>(
  cells: readonly Cell[],
  filter: CellFilter & { readonly scratch_id: string },
  tagsOf: (cell: Cell) => readonly string[],
): readonly Cell[] {
  let found = cells;
  if (isGiven(filter.cell_ids)) {
    const wanted = new Set(filter.cell_ids);
    found = cells.filter(({ cell_id }) => wanted.has(cell_id));
    if (found.length < wanted.size) {
      for (const { cell_id } of found) wanted.delete(cell_id);
      throw unknownCells(filter.scratch_id, [...wanted]);
    }
  }
  if (!isGiven(filter.tags)) return found;
  const tags = new Set(filter.tags);
  return found.filter((cell) => sharesTag(tagsOf(cell), tags));
}

const tagsOfRow = ({ tags }: { readonly tags: string }): readonly string[] => parseTags(tags);

/** The longest content that a statement for so many cells may return. */
const rowBytes = (cellsCount: number): number =>
  Math.max(notebookLimits.readRowMinBytes, Math.floor(notebookLimits.readRowsBytes / Math.max(1, cellsCount)));

/** The positions that a page asks for; undefined for all cells. */
function toRange({ offset, limit, cell_ids, tags }: ReadInput): CellRange | undefined {
  if (offset === undefined && limit === undefined) return undefined;
  if (isGiven(cell_ids) || isGiven(tags)) {
    throw faults.INVALID_PARAMS(
      { why: 'offset and limit go through all cells, without a filter' },
      { field: 'offset', fix: 'Leave out offset and limit, or cell_ids and tags.' },
    );
  }
  const from = offset ?? 0;
  return { from, to: from + (limit ?? notebookLimits.readCellsCount) - 1 };
}

const charsOf = (value: unknown): number => JSON.stringify(value).length;

/** The number of leading cells that are shown with their content; at least one. */
function countFullCells(rows: readonly ReadCellRow[]): number {
  let bytes = 0;
  const tooMany = rows.findIndex(({ content_bytes }, i) => {
    bytes += content_bytes;
    return i > 0 && bytes > notebookLimits.readContentBytes;
  });
  return tooMany === -1 ? rows.length : tooMany;
}

/** The contents that were too long to be read with their rows. */
function* findLongContents(
  db: Reader,
  padKey: string,
  rows: readonly ReadCellRow[],
): Work<ReadonlyMap<string, string>> {
  const missing = rows.filter(({ content }) => content === null).map(({ cell_id }) => cell_id);
  if (missing.length === 0) return new Map();
  const found = yield* findCells(db, padKey, missing);
  return new Map(found.map(({ cell_id, content }) => [cell_id, content]));
}

/** Escapes and metadata can make an answer much longer than its contents. */
function cutToAnswer(cells: readonly FullCell[]): readonly FullCell[] {
  let chars = 0;
  const tooMany = cells.findIndex((cell, i) => {
    chars += charsOf(cell);
    return i > 0 && chars > notebookLimits.readAnswerChars;
  });
  return tooMany === -1 ? cells : cells.slice(0, tooMany);
}

/** Content below this size fits the answer, whatever its escapes. */
const smallBytes = notebookLimits.readAnswerChars / 8;

/** An estimate. */
function sizeOf(rows: readonly ReadCellRow[]): number {
  let size = rows.length * notebookLimits.recentCellBytes;
  for (const row of rows) size += row.content_bytes + row.metadata.length + (row.json_schema?.length ?? 0);
  return size;
}

function* toFullCells(db: Reader, pad: PadRow, rows: readonly ReadCellRow[]): Work<readonly FullCell[]> {
  const candidates = rows.slice(0, countFullCells(rows));
  const long = yield* findLongContents(db, pad.pad_key, candidates);
  const full = candidates.map((row) => toFullCell(row, row.content ?? long.get(row.cell_id)!));
  return sizeOf(candidates) <= smallBytes ? full : cutToAnswer(full);
}

const outsideNamespaces = (scratchId: string) =>
  faults.CONFLICT(
    { why: `These namespaces have no scratchpad ${scratchId}` },
    {
      scratch_id: scratchId,
      fix: 'scratch_list {"namespaces": [...]} lists their scratchpads; or leave out namespaces.',
    },
  );

function expectPad<P extends { readonly namespace: string | null }>(
  pad: P | undefined,
  { scratch_id, namespaces }: Pick<ReadInput, 'scratch_id' | 'namespaces'>,
): P {
  if (!isGiven(namespaces)) {
    if (pad === undefined) throw padMissing(scratch_id);
    return pad;
  }
  // The same answer for both cases, so that it does not reveal whether the pad exists.
  const isInside = pad !== undefined && pad.namespace !== null && namespaces.includes(pad.namespace);
  if (!isInside) throw outsideNamespaces(scratch_id);
  return pad;
}

const isFiltered = (input: ReadInput): boolean =>
  isGiven(input.cell_ids) ||
  isGiven(input.tags) ||
  input.include_metadata === false ||
  input.offset !== undefined ||
  input.limit !== undefined;

function applyFilter(pad: FullPad, input: ReadInput): FullPad {
  if (!isFiltered(input)) return pad;
  const { metadata, ...rest } = pad;
  const page = toRange(input);
  const shown = page === undefined ? pad.cells : pad.cells.slice(page.from, page.to + 1);
  const cells = [...filterCells(shown, input, ({ tags }) => tags ?? [])];
  return input.include_metadata === false || metadata === undefined ? { ...rest, cells } : { ...rest, metadata, cells };
}

/** One answer object per unchanged pad, so that it is serialised once. */
const answers = new WeakMap<FullPad, ReadAnswer>();

function toAnswer(scratchpad: FullPad): ReadAnswer {
  const known = answers.get(scratchpad);
  if (known !== undefined) return known;
  const answer: ReadAnswer = { ok: true, scratchpad };
  answers.set(scratchpad, answer);
  return answer;
}

export function createPadReader({ storage, access, cursors }: PadContext) {
  const recent = createRecentPads();
  const listener: ChangeListener = {
    changed(tenant, { topic, id }) {
      if (topic === padTopic) recent.forget(tenant, id);
      // A namespace may have many pads, and an import may change any pad.
      else if (topic === namespaceTopic || topic === 'import') recent.clear();
    },
    lost: () => recent.clear(),
  };
  const tracker = createChangeTracker(storage, listener, notebookLimits);

  function* readRows(db: Reader, pad: PadRow, input: ReadInput): Work<ReadAnswer> {
    const page = toRange(input);
    const count = page === undefined ? pad.cell_count : page.to - page.from + 1;
    const rows = byPosition(pad.cell_count === 0 ? [] : yield* readCells(db, pad.pad_key, rowBytes(count), page));
    const cells = filterCells(rows, input, tagsOfRow);
    const full = yield* toFullCells(db, pad, cells);
    let schemas: Parameters<typeof toFullPad>[2];
    if (input.include_metadata !== false) schemas = pad.has_schemas === 1 ? yield* schemasOf(db, pad.pad_key) : [];
    const rest = cells.slice(full.length);
    if (rest.length === 0) {
      const scratchpad = toFullPad(pad, full, schemas);
      // Schemas can be long, and few pads have them.
      if (!isFiltered(input) && pad.has_schemas === 0) recent.keep(db.tenant, pad, scratchpad, sizeOf(rows));
      return { ok: true, scratchpad };
    }
    const light = rest.map((row): FullCell => ({ ...toLightCell(row), content_omitted: true }));
    const scratchpad = toFullPad(pad, [...full, ...light], schemas);
    return { ok: true, scratchpad, truncated: true, nextOffset: rest[0]!.position };
  }

  function* read(db: Reader, input: ReadInput): Work<ReadAnswer> {
    const pad = expectPad(yield* findPad(db, input.scratch_id), input);
    const known = recent.find(db.tenant, pad);
    return known === undefined ? yield* readRows(db, pad, input) : toAnswer(applyFilter(known, input));
  }

  /** Undefined when the store must be asked. */
  function readRecent(input: ReadInput, { tenant }: Call): ReadAnswer | undefined {
    const known = tracker.isCurrent(tenant) ? recent.peek(tenant, input.scratch_id) : undefined;
    if (known === undefined) return undefined;
    const answer = toAnswer(applyFilter(expectPad(known, input), input));
    access.note(tenant, input.scratch_id);
    return answer;
  }

  async function readStored(input: ReadInput, call: Call): Promise<ReadAnswer> {
    const known = (await tracker.catchUp(call.tenant)) ? readRecent(input, call) : undefined;
    if (known !== undefined) return known;
    const answer = await storage.read(call, (db) => read(db, input));
    access.note(call.tenant, input.scratch_id);
    return answer;
  }

  const readPad = (input: ReadInput, call: Call): ReadAnswer | Promise<ReadAnswer> =>
    readRecent(input, call) ?? readStored(input, call);

  function openCursor({ cursor, cell_ids, tags }: ListCellsInput, call: Call): CellListState | undefined {
    if (cursor === undefined) return undefined;
    if (isGiven(cell_ids) || isGiven(tags)) {
      const fix = 'Leave out cursor to filter all cells, or cell_ids and tags to read the rest.';
      throw faults.INVALID_PARAMS(
        { why: 'a cursor goes through all cells, without a filter' },
        { field: 'cursor', fix },
      );
    }
    const state = cellListState.safeParse(cursors.open(cellListTool, call.tenant, cursor));
    if (state.success) return state.data;
    throw faults.INVALID_PARAMS({ why: 'the cursor is from another version' }, { field: 'cursor', fix: cursorFix });
  }

  async function listCells(input: ListCellsInput, call: Call): Promise<ListCellsAnswer> {
    const state = openCursor(input, call);
    const { rows, next } = await storage.read(call, function* (db) {
      const pad = yield* findPad(db, input.scratch_id);
      if (pad === undefined) throw padMissing(input.scratch_id);
      const page = state === undefined ? undefined : pageOf(state, pad.cell_count);
      const found = yield* previewCells(db, pad.pad_key, rowBytes(pad.cell_count), notebookLimits.previewChars, page);
      return { rows: found, next: page?.next };
    });
    access.note(call.tenant, input.scratch_id);
    let left: number = notebookLimits.listedCellsChars;
    const cells = filterCells(byPosition(rows), input, tagsOfRow).map((row): ListedCell => {
      left -= row.metadata.length;
      if (left >= 0) return toListedCell(row);
      return { ...toLightCell(row), content_bytes: row.content_bytes, metadata_omitted: true };
    });
    const answer: ListCellsAnswer = { ok: true, scratch_id: input.scratch_id, cells };
    if (state === undefined || next === undefined) return answer;
    return { ...answer, next_cursor: cursors.seal(cellListTool, call.tenant, { ...state, at: next }) };
  }

  return { read: readPad, listCells };
}
