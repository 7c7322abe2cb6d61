import { z } from 'zod';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { findHeads, type HeadRow } from '../relationships/graph/graph-store.ts';
import { truthLimits } from '../truth-limits.ts';
import { type KeyRow, listAlike, listSharedKeys, listSharedKeysOfType } from './merge-store.ts';

export interface DuplicatesInput {
  readonly entity_type?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface Alike {
  readonly entity_type: string;
  /** What all of them have: a field, and its value without case, order, blanks and signs. */
  readonly reason: { readonly field: string; readonly match_key: string };
  readonly entities: readonly HeadRow[];
  /** There are more with this key. */
  readonly truncated?: true;
}

export interface DuplicatesAnswer {
  readonly duplicates: readonly Alike[];
  readonly next_cursor?: string;
}

export const duplicatesTool = 'list_potential_duplicates';

interface FoundKey extends KeyRow {
  readonly rootIds: readonly string[];
}

interface FoundPage {
  readonly found: readonly FoundKey[];
  /** Where the next page begins; undefined: at the end. */
  readonly last: KeyRow | undefined;
}

/** What is one group already is no duplicate. A group is never larger than its bound, so one entity more tells. */
function* groupsOf(db: Reader, keys: readonly KeyRow[]): Work<readonly FoundKey[]> {
  const rows = yield* listAlike(db, keys, truthLimits.groupCount + 1);
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  return keys.map((key, place) => ({ ...key, rootIds: (byPlace.get(place) ?? []).map(({ root_id }) => root_id) }));
}

/** Keys are looked at in their order, up to so many that one answer does not take long. */
function* findKeys(db: Reader, type: string | undefined, limit: number, start: KeyRow): Work<FoundPage> {
  const { examinedKeysCount, lookedUpKeysCount } = truthLimits;
  const found: FoundKey[] = [];
  let after = start;
  for (let examined = 0; examined < examinedKeysCount; ) {
    const list = type === undefined ? listSharedKeys : listSharedKeysOfType;
    const keys = yield* list(db, after, lookedUpKeysCount);
    if (keys.length === 0) return { found, last: undefined };
    for (const key of yield* groupsOf(db, keys)) {
      if (found.length === limit) return { found, last: after };
      if (key.rootIds.length > 1) found.push(key);
      after = key;
    }
    if (keys.length < lookedUpKeysCount) return { found, last: undefined };
    examined += keys.length;
  }
  return { found, last: after };
}

const place = z.tuple([z.string(), z.string()]);

function openCursor(cursors: Cursors, db: Reader, { cursor, entity_type = '' }: DuplicatesInput): KeyRow {
  if (cursor === undefined) return { entity_type, match_key: '' };
  const opened = place.safeParse(cursors.open(duplicatesTool, db.tenant, cursor));
  if (!opened.success || (entity_type !== '' && opened.data[0] !== entity_type)) {
    throw faults.VALIDATION_ERROR({ why: 'The cursor belongs to another list' }, { field: 'cursor' });
  }
  return { entity_type: opened.data[0], match_key: opened.data[1] };
}

const toAlike = ({ entity_type, match_key, rootIds }: FoundKey, heads: ReadonlyMap<string, HeadRow>): Alike => ({
  entity_type,
  reason: { field: match_key.slice(0, match_key.indexOf('=')), match_key },
  entities: rootIds.slice(0, truthLimits.alikeCount).flatMap((id) => heads.get(id) ?? []),
  ...(rootIds.length > truthLimits.alikeCount && { truncated: true }),
});

export function* listDuplicates(db: Reader, cursors: Cursors, input: DuplicatesInput): Work<DuplicatesAnswer> {
  const { found, last } = yield* findKeys(db, input.entity_type, input.limit, openCursor(cursors, db, input));
  const shown = new Set(found.flatMap(({ rootIds }) => rootIds.slice(0, truthLimits.alikeCount)));
  const heads = new Map((yield* findHeads(db, [...shown])).map((head) => [head.entity_id, head]));
  return {
    duplicates: found.map((key) => toAlike(key, heads)),
    ...(last !== undefined && {
      next_cursor: cursors.seal(duplicatesTool, db.tenant, [last.entity_type, last.match_key]),
    }),
  };
}
