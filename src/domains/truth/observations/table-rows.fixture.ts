import type { Json } from '#kernel/json/canonical.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { sql } from '#kernel/storage/sql.ts';
import type { EntityRow } from '../entities/entity-store.ts';
import type { ObservationRow } from '../entities/observed-store.ts';
import { toObservation } from '../entities/reduce-rows.ts';
import { printState } from '../reducer/entity-state.ts';
import { reduceAll } from '../reducer/reducer.ts';
import type { EntitySchema } from '../schemas/entity-schema.ts';
import type { Schemas } from '../schemas/schemas.ts';

/** Reads the tables directly. */
export const allEntities = (db: Reader) =>
  db.all(sql<EntityRow>`select * from truth_entities where tenant = ${db.tenant} order by entity_id`);

export const allObservations = (db: Reader) =>
  db.all(sql<ObservationRow>`select * from truth_observations where tenant = ${db.tenant} order by observation_id`);

export const allTotals = (db: Reader) =>
  db.all(sql<{ readonly kind: string; readonly key: string; readonly count: number }>`
    select kind, key, count from truth_totals where tenant = ${db.tenant} order by kind, key`);

export const allIdentifiers = (db: Reader) =>
  db.all(sql<{ readonly identifier: string; readonly entity_id: string; readonly field: string }>`
    select identifier, entity_id, field from truth_identifiers where tenant = ${db.tenant}
    order by identifier, entity_id, field`);

export const allMatchKeys = (db: Reader) =>
  db.all(sql<{ readonly match_key: string; readonly entity_id: string }>`
    select match_key, entity_id from truth_match_keys where tenant = ${db.tenant} order by match_key, entity_id`);

export const allSharedKeys = (db: Reader) =>
  db.all(sql<{ readonly match_key: string }>`
    select match_key from truth_shared_keys where tenant = ${db.tenant} order by match_key`);

export const allEvents = (db: Reader) =>
  db.all(sql<Readonly<Record<string, Json>>>`
    select event_at, event_type, entity_id, field, value, source_id, observation_id from truth_events
    where tenant = ${db.tenant} order by event_at, event_id`);

export const payloadsCount = (db: Reader) =>
  db.get(sql<{ readonly count: number }>`select count(*) as count from truth_payloads where tenant = ${db.tenant}`);

const isInGroup = (entities: readonly EntityRow[], entityId: string, rootId: string): boolean => {
  if (entityId === rootId) return true;
  const above = entities.find(({ entity_id }) => entity_id === entityId)?.merged_into ?? '';
  return above !== '' && isInGroup(entities, above, rootId);
};

/** The expected row, reduced from all observations of the group. */
function fromObservations(
  entityId: string,
  entities: readonly EntityRow[],
  observations: readonly ObservationRow[],
  schema: EntitySchema,
): Partial<EntityRow> {
  const rows = observations.filter(({ entity_id }) => isInGroup(entities, entity_id, entityId));
  return {
    observation_count: rows.length,
    last_observed_at: Math.max(...rows.map(({ observed_at }) => observed_at)),
    last_recorded_at: Math.max(...rows.map(({ created_at }) => created_at)),
    schema_version: schema.version,
    state: printState(reduceAll(rows.map(toObservation), schema)),
  };
}

/** Every entity row that differs from its observations, with both versions. An empty store counts as wrong. */
export function* wrongEntities(db: Reader, schemas: Pick<Schemas, 'activeOf'>): Work<readonly unknown[]> {
  const entities = yield* allEntities(db);
  if (entities.length === 0) return ['there are none'];
  const observations = yield* allObservations(db);
  const active = yield* schemas.activeOf(db, [...new Set(entities.map(({ entity_type }) => entity_type))]);
  return entities.flatMap((found) => {
    const wanted = fromObservations(found.entity_id, entities, observations, active.get(found.entity_type)!);
    return Object.entries(wanted).some(([key, value]) => found[key as keyof EntityRow] !== value)
      ? [{ found, wanted }]
      : [];
  });
}
