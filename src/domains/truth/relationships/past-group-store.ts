import type { Reader, Work } from '#kernel/storage/port.ts';
import type { Hashed } from '#kernel/storage/row-hash.ts';
import { list, sql } from '#kernel/storage/sql.ts';
import { type MergeRow, mergeHash } from '../entities/entity-store.ts';

/** Merges of these entities that were in effect, as known at a time; unsorted. */
const listMergesKnownAt = (db: Reader, sourceIds: readonly string[], knownAt: number) =>
  mergeHash.all(
    db,
    sql<MergeRow & Hashed>`
    select source_entity_id, merged_at, target_entity_id, unmerged_at, row_hash from truth_merges
    where tenant = ${db.tenant} and source_entity_id in ${list(sourceIds)} and merged_at <= ${knownAt}
      and (unmerged_at is null or unmerged_at > ${knownAt})`,
  );

/** The same in the other direction. `k` reads only indexed columns: for whole rows SQLite would scan the tenant. */
const listMergesInto = (db: Reader, targetIds: readonly string[], knownAt: number) =>
  mergeHash.all(
    db,
    sql<MergeRow & Hashed>`
    select g.source_entity_id, g.merged_at, g.target_entity_id, g.unmerged_at, g.row_hash
    from truth_merges k cross join truth_merges g
    where k.tenant = ${db.tenant} and k.target_entity_id in ${list(targetIds)} and k.merged_at <= ${knownAt}
      and g.tenant = ${db.tenant} and g.source_entity_id = k.source_entity_id and g.merged_at = k.merged_at
      and (g.unmerged_at is null or g.unmerged_at > ${knownAt})`,
  );

/** The root of each entity, as known at a time. One statement per level of the groups. */
export function* rootsKnownAt(
  db: Reader,
  entityIds: readonly string[],
  knownAt: number,
): Work<ReadonlyMap<string, string>> {
  const targetOf = new Map<string, string>();
  for (let level = [...new Set(entityIds)]; level.length > 0; ) {
    const next = new Set<string>();
    for (const { source_entity_id, target_entity_id } of yield* listMergesKnownAt(db, level, knownAt)) {
      if (targetOf.has(source_entity_id)) continue;
      targetOf.set(source_entity_id, target_entity_id);
      if (!targetOf.has(target_entity_id)) next.add(target_entity_id);
    }
    level = [...next];
  }
  const rootOf = (id: string): string => {
    const seen = new Set<string>();
    let root = id;
    for (let above = targetOf.get(id); above !== undefined && !seen.has(above); above = targetOf.get(above)) {
      seen.add(above);
      root = above;
    }
    return root;
  };
  return new Map(entityIds.map((id) => [id, rootOf(id)]));
}

/** The members of each group, with its root, as known at a time. */
export function* membersKnownAt(
  db: Reader,
  rootIds: readonly string[],
  knownAt: number,
): Work<ReadonlyMap<string, readonly string[]>> {
  const rootOf = new Map(rootIds.map((id) => [id, id]));
  for (let level: readonly string[] = rootIds; level.length > 0; ) {
    const next: string[] = [];
    for (const { source_entity_id, target_entity_id } of yield* listMergesInto(db, level, knownAt)) {
      if (rootOf.has(source_entity_id)) continue;
      rootOf.set(source_entity_id, rootOf.get(target_entity_id)!);
      next.push(source_entity_id);
    }
    level = next;
  }
  const groups = Map.groupBy(rootOf, ([, root]) => root);
  return new Map([...groups].map(([root, members]) => [root, members.map(([id]) => id)]));
}
