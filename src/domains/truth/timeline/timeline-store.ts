import type { Reader, Work } from '#kernel/storage/port.ts';
import { allOf, type Sql, sql } from '#kernel/storage/sql.ts';
import { eventIdOf } from '../observations/entity-name.ts';

export interface EventRow {
  readonly event_id: string;
  readonly event_at: number;
  readonly event_type: string;
  readonly entity_id: string;
  /** The current root of the entity. */
  readonly root_id: string;
  readonly entity_type: string;
  readonly field: string;
  readonly value: string;
  readonly source_id: string;
  readonly observation_id: string;
  readonly created_at: number;
}

export interface EventFilter {
  readonly eventType: string | undefined;
  readonly sourceId: string | undefined;
  /** Both bounds are inclusive. */
  readonly from: number | undefined;
  readonly to: number | undefined;
}

const conditions = (db: Reader, { eventType, sourceId, from, to }: EventFilter): Sql =>
  allOf([
    sql`v.tenant = ${db.tenant}`,
    ...(eventType === undefined ? [] : [sql`v.event_type = ${eventType}`]),
    ...(sourceId === undefined ? [] : [sql`v.source_id = ${sourceId}`]),
    ...(from === undefined ? [] : [sql`v.event_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`v.event_at <= ${to}`]),
  ]);

/** An event is derived from an observation and its id is a hash, so a damaged one is left out until a rebuild. */
export const isEventIntact = (row: Pick<EventRow, 'event_id' | 'observation_id' | 'field' | 'value'>): boolean =>
  row.event_id === eventIdOf(row.observation_id, row.field, row.value);

/** Newest first. Joins the entities only for the page. */
export function* listEvents(db: Reader, filter: EventFilter, limit: number, offset: number): Work<readonly EventRow[]> {
  const rows = yield* db.all(sql<EventRow>`
    select p.event_id, p.event_at, p.event_type, p.entity_id, e.root_id, p.entity_type, p.field, p.value, p.source_id,
      p.observation_id, p.created_at
    from (
      select v.event_id, v.event_at, v.event_type, v.entity_id, v.entity_type, v.field, v.value, v.source_id,
        v.observation_id, v.created_at
      from truth_events v where ${conditions(db, filter)}
      order by v.event_at desc, v.event_id limit ${limit} offset ${offset}
    ) p
    join truth_entities e on e.tenant = ${db.tenant} and e.entity_id = p.entity_id`);
  return rows.filter(isEventIntact);
}

interface CountRow {
  readonly count: number;
}

/** Up to `countMax`. */
export const countEvents = (db: Reader, filter: EventFilter, countMax: number) =>
  db.get(sql<CountRow>`
    select count(*) as count from (
      select 1 from truth_events v where ${conditions(db, filter)} limit ${countMax}
    ) some_events`);

/** One row per event type, and there are few. */
export const listEventTotals = (db: Reader) =>
  db.all(sql<CountRow & { readonly key: string }>`
    select key, count from truth_totals where tenant = ${db.tenant} and kind = 'events'`);
