import type { Call } from '#kernel/call.ts';
import type { Reader, Storage, Work, Writer } from '#kernel/storage/port.ts';
import { notebookLimits } from '../notebook-limits.ts';
import {
  countAll,
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
  type TaggedPad,
  type TagPlaceAfter,
  type TagRow,
} from './count-store.ts';
import { addToTotals, findTotals } from './pad-store.ts';
import { parseTags } from './rules/tags.ts';
import { deleteTags, insertTags, type TagKind } from './tags/tag-store.ts';

/** How many things are not what the pads say. All are 0 in a store that nobody has meddled with. */
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

interface Page<T, Place> {
  readonly found: readonly T[];
  /** Undefined at the end. */
  readonly next: Place | undefined;
}

const kinds = [
  ['pad', 'tags'],
  ['cell', 'cell_tags'],
] as const;

const firstTag = { tag: '', kind: '', scratch_id: '' };

function* missingOf(db: Reader, after: string): Work<Page<MissingTags, string>> {
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

/** Of a pad that is not there, does not have the tag, or stands in another namespace. */
function* strayOf(db: Reader, after: TagPlaceAfter): Work<Page<TagRow, TagRow>> {
  const rows = yield* listTagRows(db, after, notebookLimits.recountTagsCount);
  if (rows.length === 0) return { found: [], next: undefined };
  const pads = yield* findTaggedPads(db, [...new Set(rows.map(({ scratch_id }) => scratch_id))]);
  const places = new Set(
    pads.flatMap(({ scratch_id, namespace_key, ...pad }) =>
      kinds.flatMap(([kind, column]) =>
        parseTags(pad[column]).map((tag) => JSON.stringify([scratch_id, namespace_key, kind, tag])),
      ),
    ),
  );
  const found = rows.filter(
    ({ scratch_id, namespace_key, kind, tag }) => !places.has(JSON.stringify([scratch_id, namespace_key, kind, tag])),
  );
  return { found, next: rows.length < notebookLimits.recountTagsCount ? undefined : rows.at(-1) };
}

function* compareCounts(db: Reader): Work<Pick<Miscounts, 'totals' | 'namespaces' | 'tagTotals'>> {
  const none = { pads_count: 0, cells_count: 0 };
  const counted = (yield* countAll(db)) ?? none;
  const said = (yield* findTotals(db)) ?? none;
  const isSame = counted.pads_count === said.pads_count && counted.cells_count === said.cells_count;
  return {
    totals: isSame ? 0 : 1,
    namespaces: (yield* miscountedNamespaces(db))?.n ?? 0,
    tagTotals: (yield* miscountedTags(db))?.n ?? 0,
  };
}

/** Reads all pads and tags of the caller's tenant, a page at a time, and changes nothing. */
export async function findMiscounts({ read }: Pick<Storage, 'read'>, call: () => Call): Promise<Miscounts> {
  let missingTags = 0;
  let strayTags = 0;
  for (let after: string | undefined = ''; after !== undefined; ) {
    const place: string = after;
    const { found, next } = await read(call(), (db) => missingOf(db, place));
    for (const { tags } of found) missingTags += tags.length;
    after = next;
  }
  for (let after: TagPlaceAfter | undefined = firstTag; after !== undefined; ) {
    const place: TagPlaceAfter = after;
    const { found, next } = await read(call(), (db) => strayOf(db, place));
    strayTags += found.length;
    after = next;
  }
  return { ...(await read(call(), compareCounts)), missingTags, strayTags };
}

function* addMissing(db: Writer, after: string): Work<string | undefined> {
  const { found, next } = yield* missingOf(db, after);
  for (const { pad, kind, tags } of found) yield* insertTags(db, pad, kind, tags);
  return next;
}

function* dropStray(db: Writer, after: TagPlaceAfter): Work<TagRow | undefined> {
  const { found, next } = yield* strayOf(db, after);
  for (const { scratch_id, kind, tag } of found) yield* deleteTags(db, scratch_id, kind, [tag]);
  return next;
}

function* recountAll(db: Writer): Work<void> {
  // Whoever is about to add or remove a pad waits here, and counts on from what is written below.
  yield* addToTotals(db, 0, 0);
  yield* setTotals(db, (yield* countAll(db)) ?? { pads_count: 0, cells_count: 0 });
  yield* recountNamespaces(db);
  yield* deleteTagTotals(db);
  yield* recountTags(db);
}

/** Makes the tag tables and all counts of the caller's tenant anew from its pads, a page of them in each write. */
export async function recount({ write }: Pick<Storage, 'write'>, call: () => Call): Promise<void> {
  for (let after: TagPlaceAfter | undefined = firstTag; after !== undefined; ) {
    const place: TagPlaceAfter = after;
    after = await write(call(), (db) => dropStray(db, place));
  }
  for (let after: string | undefined = ''; after !== undefined; ) {
    const place: string = after;
    after = await write(call(), (db) => addMissing(db, place));
  }
  await write(call(), recountAll);
}
