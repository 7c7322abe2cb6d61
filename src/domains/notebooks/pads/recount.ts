import type { Call } from '#kernel/call.ts';
import type { Reader, Storage, Work, Writer } from '#kernel/storage/port.ts';
import { setHistoryBytes, sumHistoryBytes } from '../history/history-store.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { addToTotals, findTotals } from './pad-store.ts';
import { parseTags } from './pad-tags.ts';
import {
  countPads,
  deleteTagTotals,
  findTaggedPads,
  findTags,
  listTaggedPads,
  listTagRows,
  miscountedNamespaces,
  miscountedTags,
  recountNamespaces,
  recountTags,
  setTotals,
  type TagCursor,
  type TaggedPad,
  type TagRow,
} from './recount-store.ts';
import { deleteTags, insertTags, type TagKind } from './tag-store.ts';

/** How many derived rows differ from the pads. All are 0 unless the store was changed by hand. */
export interface Miscounts {
  /** 1 when the totals of the tenant are wrong. */
  readonly totals: number;
  readonly namespaces: number;
  readonly missingTags: number;
  readonly strayTags: number;
  readonly tagTotals: number;
}

interface MissingTags {
  readonly pad: TaggedPad;
  readonly kind: TagKind;
  readonly tags: readonly string[];
}

interface Page<T, Cursor> {
  readonly found: readonly T[];
  /** Undefined at the end. */
  readonly next: Cursor | undefined;
}

const kinds = [
  ['pad', 'tags'],
  ['cell', 'cell_tags'],
] as const;

const firstTag = { tag: '', kind: '', scratch_id: '' };

function* findMissingTags(db: Reader, after: string): Work<Page<MissingTags, string>> {
  const pads = yield* listTaggedPads(db, after, notebookLimits.recountPadsCount);
  const found: MissingTags[] = [];
  for (const pad of pads) {
    for (const [kind, column] of kinds) {
      const tags = parseTags(pad[column]);
      if (tags.length === 0) continue;
      const known = new Set((yield* findTags(db, pad.scratch_id, kind, tags)).map(({ tag }) => tag));
      const missing = tags.filter((tag) => !known.has(tag));
      if (missing.length > 0) found.push({ pad, kind, tags: missing });
    }
  }
  return { found, next: pads.length < notebookLimits.recountPadsCount ? undefined : pads.at(-1)?.scratch_id };
}

/** Tag rows of a pad that does not exist, does not have the tag, or is in another namespace. */
function* findStrayTags(db: Reader, after: TagCursor): Work<Page<TagRow, TagRow>> {
  const rows = yield* listTagRows(db, after, notebookLimits.recountTagsCount);
  if (rows.length === 0) return { found: [], next: undefined };
  const pads = yield* findTaggedPads(db, [...new Set(rows.map(({ scratch_id }) => scratch_id))]);
  const expected = new Set(
    pads.flatMap(({ scratch_id, namespace_key, ...pad }) =>
      kinds.flatMap(([kind, column]) =>
        parseTags(pad[column]).map((tag) => JSON.stringify([scratch_id, namespace_key, kind, tag])),
      ),
    ),
  );
  const found = rows.filter(
    ({ scratch_id, namespace_key, kind, tag }) => !expected.has(JSON.stringify([scratch_id, namespace_key, kind, tag])),
  );
  return { found, next: rows.length < notebookLimits.recountTagsCount ? undefined : rows.at(-1) };
}

function* compareCounts(db: Reader): Work<Pick<Miscounts, 'totals' | 'namespaces' | 'tagTotals'>> {
  const none = { pads_count: 0, cells_count: 0 };
  const counted = (yield* countPads(db)) ?? none;
  const stored = (yield* findTotals(db)) ?? none;
  const bytes = yield* sumHistoryBytes(db);
  const isSame =
    counted.pads_count === stored.pads_count &&
    counted.cells_count === stored.cells_count &&
    bytes?.counted === bytes?.stored;
  return {
    totals: isSame ? 0 : 1,
    namespaces: (yield* miscountedNamespaces(db))?.n ?? 0,
    tagTotals: (yield* miscountedTags(db))?.n ?? 0,
  };
}

/** Reads all pads and tags of the tenant, one page per transaction. */
export async function findMiscounts({ read }: Pick<Storage, 'read'>, call: () => Call): Promise<Miscounts> {
  let missingTags = 0;
  let strayTags = 0;
  for (let after: string | undefined = ''; after !== undefined; ) {
    const cursor: string = after;
    const { found, next } = await read(call(), (db) => findMissingTags(db, cursor));
    for (const { tags } of found) missingTags += tags.length;
    after = next;
  }
  for (let after: TagCursor | undefined = firstTag; after !== undefined; ) {
    const cursor: TagCursor = after;
    const { found, next } = await read(call(), (db) => findStrayTags(db, cursor));
    strayTags += found.length;
    after = next;
  }
  return { ...(await read(call(), compareCounts)), missingTags, strayTags };
}

function* addMissing(db: Writer, after: string): Work<string | undefined> {
  const { found, next } = yield* findMissingTags(db, after);
  for (const { pad, kind, tags } of found) {
    yield* insertTags(db, pad, kind, tags);
  }
  return next;
}

function* dropStray(db: Writer, after: TagCursor): Work<TagRow | undefined> {
  const { found, next } = yield* findStrayTags(db, after);
  for (const { scratch_id, kind, tag } of found) yield* deleteTags(db, scratch_id, kind, [tag]);
  return next;
}

function* recountPads(db: Writer): Work<void> {
  // Locks the totals: concurrent writes wait and continue from the new counts.
  yield* addToTotals(db, 0, 0);
  yield* setTotals(db, (yield* countPads(db)) ?? { pads_count: 0, cells_count: 0 });
  yield* setHistoryBytes(db, (yield* sumHistoryBytes(db))?.counted ?? 0);
  yield* recountNamespaces(db);
  yield* deleteTagTotals(db);
  yield* recountTags(db);
}

/** Rebuilds the tag tables and all counts of the tenant from its pads, one page per write. */
export async function recount({ write }: Pick<Storage, 'write'>, call: () => Call): Promise<void> {
  for (let after: TagCursor | undefined = firstTag; after !== undefined; ) {
    const cursor: TagCursor = after;
    after = await write(call(), (db) => dropStray(db, cursor));
  }
  for (let after: string | undefined = ''; after !== undefined; ) {
    const cursor: string = after;
    after = await write(call(), (db) => addMissing(db, cursor));
  }
  await write(call(), recountPads);
}
