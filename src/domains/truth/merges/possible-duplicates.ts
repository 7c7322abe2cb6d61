import { cutText } from '#kernel/fault/bound-fault.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { findRoots } from '../entities/entity-store.ts';
import { keySeparator } from '../observations/entity-name.ts';
import type { WrittenObservation } from '../observations/observation.ts';
import { similarAmong } from '../observations/similar-names.ts';
import type { PossibleDuplicate, Review } from '../schemas/review-statement.ts';
import { truthLimits } from '../truth-limits.ts';
import { explainKey } from './explain-duplicates.ts';
import { listMembersOfKeys } from './merge-store.ts';

const { reviewedCount, reviewedChars, comparedNamesCount, keysPageCount } = truthLimits;

const nameOf = (name: string): string => name.replaceAll(keySeparator, ' ');

const toDuplicate = (
  { entityId, entityType }: WrittenObservation,
  other: { readonly entity_id: string; readonly canonical_name: string; readonly reason: string },
): PossibleDuplicate => ({
  entity_id: other.entity_id,
  entity_type: entityType,
  name: cutText(nameOf(other.canonical_name), reviewedChars),
  reason: cutText(other.reason, reviewedChars),
  of: entityId,
});

/** Existing entities with the same number, such as an invoice without its vendor. */
function* findByNumber(db: Reader, written: readonly WrittenObservation[]): Work<readonly PossibleDuplicate[]> {
  const keyed = written.flatMap((one) => one.matchKeys.map((key) => ({ one, key }))).slice(0, keysPageCount);
  if (keyed.length === 0) return [];
  const members = yield* listMembersOfKeys(
    db,
    keyed.map(({ key }) => key),
    reviewedCount,
  );
  const others = members.filter(({ place, root_id }) => root_id !== keyed[place]!.one.entityId);
  if (others.length === 0) return [];
  const roots = yield* findRoots(db, [...new Set(keyed.map(({ one }) => one.entityId))]);
  const rootOf = new Map(roots.map(({ entity_id, root_id }) => [entity_id, root_id]));
  return others.flatMap(({ place, root_id, canonical_name }) => {
    const { one, key } = keyed[place]!;
    const ownRoot = rootOf.get(one.entityId) ?? one.entityId;
    if (root_id === ownRoot) return [];
    // Compared one by one: of several entities with a number, some may be others.
    const own = { root_id: ownRoot, canonical_name: nameOf(one.name) };
    const found = explainKey(key, [own, { root_id, canonical_name }]);
    return found === undefined ? [] : [toDuplicate(one, { entity_id: root_id, canonical_name, reason: found.text })];
  });
}

/** Existing entities with a name like that of a new one. */
function findByName(written: readonly WrittenObservation[]): readonly PossibleDuplicate[] {
  const named = written.filter(({ isNew, identityRule }) => isNew && identityRule !== 'content');
  return named.slice(0, comparedNamesCount).flatMap((one) => {
    const similar = similarAmong(one.similar, one.entityType, nameOf(one.name), comparedNamesCount);
    return similar.filter(({ entity_id }) => entity_id !== one.entityId).map((other) => toDuplicate(one, other));
  });
}

/** [TR92] Entities that may be the same as those that were written; the caller decides with merge_entities. */
export function* findPossibleDuplicates(
  db: Reader,
  written: readonly WrittenObservation[],
): Work<Pick<Review, 'possible_duplicates'>> {
  const all = [...(yield* findByNumber(db, written)), ...findByName(written)];
  const distinct = [...new Map(all.map((one) => [`${one.of} ${one.entity_id}`, one])).values()];
  return distinct.length === 0 ? {} : { possible_duplicates: distinct.slice(0, reviewedCount) };
}
