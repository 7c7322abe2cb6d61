import type { Reader, Work } from '#kernel/storage/port.ts';
import type { Hashed } from '#kernel/storage/row-hash.ts';
import { list, sql } from '#kernel/storage/sql.ts';
import { entityHash } from '../../entities/entity-store.ts';
import type { SourceKind } from '../../observations/observation.ts';
import { type EventRow, isEventIntact } from '../../timeline/timeline-store.ts';
import { unionOf } from '../relationship-store.ts';

export interface EntitySummaryRow {
  readonly entity_id: string;
  readonly entity_type: string;
  readonly canonical_name: string;
  readonly observation_count: number;
}

/** Unsorted. */
export function* findEntitySummaries(db: Reader, entityIds: readonly string[]): Work<readonly EntitySummaryRow[]> {
  const rows = yield* entityHash.all(
    db,
    sql<EntitySummaryRow & { readonly created_at: number } & Hashed>`
    select entity_id, entity_type, canonical_name, observation_count, created_at, row_hash from truth_entities
    where tenant = ${db.tenant} and entity_id in ${list(entityIds)}`,
  );
  return rows.map(({ created_at: _at, row_hash: _hash, ...shown }) => shown);
}

/** An observation without its fields. */
export interface ObservationHeadRow {
  readonly observation_id: string;
  readonly entity_id: string;
  readonly observed_at: number;
  readonly source_kind: SourceKind;
  readonly source_id: string;
}

/** The newest observations of these entities together that were recorded by then, newest first. */
export const listNewestObservations = (db: Reader, entityIds: readonly string[], knownAt: number, limit: number) =>
  db.all(sql<ObservationHeadRow>`
    select observation_id, entity_id, observed_at, source_kind, source_id
    from (${unionOf(
      entityIds.map(
        (entityId) => sql`
          select * from (
            select observation_id, entity_id, observed_at, source_kind, source_id from truth_observations
            where tenant = ${db.tenant} and entity_id = ${entityId} and created_at <= ${knownAt}
            order by observed_at desc, observation_id limit ${limit}) as part`,
      ),
    )}) as parts
    order by observed_at desc, observation_id limit ${limit}`);

export const listObservationsBySource = (db: Reader, sourceId: string, limit: number) =>
  db.all(sql<ObservationHeadRow>`
    select observation_id, entity_id, observed_at, source_kind, source_id from truth_observations
    where tenant = ${db.tenant} and source_id = ${sourceId} order by observation_id limit ${limit}`);

/** Events of these sources about these entities that were recorded by then, newest first. */
export function* listEventsOf(
  db: Reader,
  sourceIds: readonly string[],
  entityIds: readonly string[],
  knownAt: number,
  limit: number,
): Work<readonly Omit<EventRow, 'entity_id'>[]> {
  const rows = yield* db.all(sql<Omit<EventRow, 'entity_id'>>`
    select v.event_id, v.event_at, v.event_type, e.root_id, v.entity_type, v.field, v.value, v.source_id,
      v.observation_id, v.created_at
    from truth_events k cross join truth_events v
    join truth_entities e on e.tenant = ${db.tenant} and e.entity_id = v.entity_id
    where k.tenant = ${db.tenant} and k.source_id in ${list(sourceIds)}
      and v.tenant = ${db.tenant} and v.event_at = k.event_at and v.event_id = k.event_id
      and v.entity_id in ${list(entityIds)} and v.created_at <= ${knownAt}
    order by v.event_at desc, v.event_id limit ${limit}`);
  return rows.filter(isEventIntact);
}
