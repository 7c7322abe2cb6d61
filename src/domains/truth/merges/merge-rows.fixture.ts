import type { Reader, Work } from '#kernel/storage/port.ts';
import { sql } from '#kernel/storage/sql.ts';
import type { EntityRow } from '../entities/entity-store.ts';
import type { ReducerRow } from '../entities/observed-store.ts';
import type { MatchKey, NewMatchKey, Total } from '../observations/observation-store.ts';
import type { EdgeRow } from '../relationships/relationship-store.ts';

/** Every row that a merge may change, except the log of merges. */
export interface AllRows {
  readonly entities: readonly EntityRow[];
  readonly observations: readonly (ReducerRow & { readonly entity_id: string })[];
  readonly relationships: readonly EdgeRow[];
  readonly totals: readonly Total[];
  readonly matchKeys: readonly NewMatchKey[];
  readonly sharedKeys: readonly MatchKey[];
}

type Row<Table extends keyof AllRows> = AllRows[Table][number];

export function* allRows(db: Reader): Work<AllRows> {
  return {
    entities: yield* db.all(sql<Row<'entities'>>`
      select entity_id, entity_type, canonical_name, merged_into, root_id, observation_count, last_observed_at,
        last_recorded_at, created_at, schema_version, state, next_change_at
      from truth_entities where tenant = ${db.tenant} order by entity_id`),
    observations: yield* db.all(sql<Row<'observations'>>`
      select entity_id, observed_at, observation_id, source_kind, specificity, priority, fields, raw_fragments,
        created_at, effective_at, effective_until, retracted_at, origin, details
      from truth_observations where tenant = ${db.tenant} order by observation_id`),
    relationships: yield* db.all(sql<Row<'relationships'>>`
      select relationship_id, relationship_type, source_entity_id, target_entity_id, source_root_id, target_root_id,
        created_at, metadata
      from truth_relationships where tenant = ${db.tenant} order by relationship_id`),
    totals: yield* db.all(sql<Row<'totals'>>`
      select kind, key, count from truth_totals where tenant = ${db.tenant} order by kind, key`),
    matchKeys: yield* db.all(sql<Row<'matchKeys'>>`
      select entity_type, match_key, entity_id from truth_match_keys where tenant = ${db.tenant}
      order by entity_type, match_key, entity_id`),
    sharedKeys: yield* db.all(sql<Row<'sharedKeys'>>`
      select entity_type, match_key from truth_shared_keys where tenant = ${db.tenant}
      order by entity_type, match_key`),
  };
}

export interface MergeJournalRow {
  readonly source_entity_id: string;
  readonly target_entity_id: string;
  readonly merged_at: number;
  readonly unmerged_at: number | null;
  readonly actor: string;
}

export const journal = (db: Reader) =>
  db.all(sql<MergeJournalRow>`
    select source_entity_id, target_entity_id, merged_at, unmerged_at, actor from truth_merges
    where tenant = ${db.tenant} order by merged_at, source_entity_id`);
