import { z } from 'zod';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { type EntitySummaryRow, findEntitySummaries } from '../relationships/graph/graph-store.ts';
import { truthLimits } from '../truth-limits.ts';
import { explainKey, type KeyMember } from './explain-duplicates.ts';
import {
  type DuplicateCandidates,
  type DuplicatesAnswer,
  type DuplicatesInput,
  duplicatesTool,
} from './merge-model.ts';
import { listMembersOfKeys, listSharedKeys, listSharedKeysOfType, type SharedKeyRow } from './merge-store.ts';

interface SharedKey extends SharedKeyRow {
  readonly rootIds: readonly string[];
  readonly text: string;
}

const rootsOf = (members: readonly KeyMember[]): readonly string[] =>
  [...new Set(members.map(({ root_id }) => root_id))].sort();

/** Entities of one group are not duplicates. One more than the largest group is enough to find a second group. */
function* explained(db: Reader, keys: readonly SharedKeyRow[]): Work<readonly (SharedKey | undefined)[]> {
  const rows = yield* listMembersOfKeys(db, keys, truthLimits.groupCount + 1);
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  return keys.map((key, place) => {
    const members = byPlace.get(place) ?? [];
    if (rootsOf(members).length < 2) return undefined;
    const found = explainKey(key, members);
    return found && { ...key, rootIds: rootsOf(found.members), text: found.text };
  });
}

/** In key order, up to a number that keeps the answer fast. The next page starts at `last`; undefined at the end. */
function* findSharedKeys(db: Reader, type: string | undefined, limit: number, start: SharedKeyRow) {
  const { examinedKeysCount, keysPageCount: lookedUpKeysCount } = truthLimits;
  const found: SharedKey[] = [];
  let after = start;
  for (let examined = 0; examined < examinedKeysCount; ) {
    const list = type === undefined ? listSharedKeys : listSharedKeysOfType;
    const keys = yield* list(db, after, lookedUpKeysCount);
    if (keys.length === 0) return { found, last: undefined };
    const shared = yield* explained(db, keys);
    for (const [place, key] of keys.entries()) {
      if (found.length === limit) return { found, last: after };
      const one = shared[place];
      if (one !== undefined) found.push(one);
      after = key;
    }
    if (keys.length < lookedUpKeysCount) return { found, last: undefined };
    examined += keys.length;
  }
  return { found, last: after };
}

const place = z.tuple([z.string(), z.string()]);

function openCursor(cursors: Cursors, db: Reader, { cursor, entity_type = '' }: DuplicatesInput): SharedKeyRow {
  if (cursor === undefined) return { entity_type, match_key: '' };
  const opened = place.safeParse(cursors.open(duplicatesTool, db.tenant, cursor));
  if (!opened.success || (entity_type !== '' && opened.data[0] !== entity_type)) {
    throw faults.VALIDATION_ERROR({ why: 'The cursor belongs to another list' }, { field: 'cursor' });
  }
  return { entity_type: opened.data[0], match_key: opened.data[1] };
}

const toCandidates = (
  { entity_type, match_key, rootIds, text }: SharedKey,
  heads: ReadonlyMap<string, EntitySummaryRow>,
): DuplicateCandidates => ({
  entity_type,
  reason: { text, field: match_key.slice(0, match_key.indexOf('=')), match_key },
  entities: rootIds.slice(0, truthLimits.duplicateEntitiesCount).flatMap((id) => heads.get(id) ?? []),
  ...(rootIds.length > truthLimits.duplicateEntitiesCount && { truncated: true }),
});

/** [TR35] [TR63] */
export function* listDuplicates(db: Reader, cursors: Cursors, input: DuplicatesInput): Work<DuplicatesAnswer> {
  const { found, last } = yield* findSharedKeys(db, input.entity_type, input.limit, openCursor(cursors, db, input));
  const shown = new Set(found.flatMap(({ rootIds }) => rootIds.slice(0, truthLimits.duplicateEntitiesCount)));
  const heads = new Map((yield* findEntitySummaries(db, [...shown])).map((head) => [head.entity_id, head]));
  return {
    duplicates: found.map((key) => toCandidates(key, heads)),
    ...(last !== undefined && {
      next_cursor: cursors.seal(duplicatesTool, db.tenant, [last.entity_type, last.match_key]),
    }),
  };
}
