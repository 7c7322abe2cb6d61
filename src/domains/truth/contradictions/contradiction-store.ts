import type { Reader, Writer } from '#kernel/storage/port.ts';
import { defineRowHash, type Hashed } from '#kernel/storage/row-hash.ts';
import { list, type Sql, sql, values } from '#kernel/storage/sql.ts';
import { observationColumns, observationHash, type StoredObservation } from '../entities/observed-store.ts';

export const closings = ['correction', 'retraction', 'accept', 'unmerge'] as const;

/** One time for which a contradiction was open. */
export interface ContradictionRow {
  readonly contradiction_id: string;
  readonly opened_at: number;
  /** Of the statement that was recorded first; that of the other one is in the same group. */
  readonly entity_id: string;
  readonly entity_type: string;
  readonly field: string;
  readonly observed_at: number;
  readonly observation_id: string;
  readonly other_entity_id: string;
  readonly other_observed_at: number;
  readonly other_observation_id: string;
  readonly closed_at: number | null;
  readonly closed_by: (typeof closings)[number] | null;
  /** The correction, or the submission that was retracted. */
  readonly closing_id: string | null;
  readonly actor: string | null;
  readonly reason: string | null;
}

type Stored = ContradictionRow & Hashed;

const rowHash = defineRowHash<ContradictionRow>(
  {
    table: 'truth_contradictions',
    columns: [
      ...['contradiction_id', 'opened_at', 'entity_id', 'entity_type', 'field', 'observed_at', 'observation_id'],
      ...['other_entity_id', 'other_observed_at', 'other_observation_id', 'closed_at', 'closed_by', 'closing_id'],
      ...['actor', 'reason'],
    ],
  },
  ({ contradiction_id }) => `contradiction ${contradiction_id}`,
);

const columns = sql`contradiction_id, opened_at, entity_id, entity_type, field, observed_at, observation_id,
  other_entity_id, other_observed_at, other_observation_id, closed_at, closed_by, closing_id, actor, reason, row_hash`;

/** One that was closed and opened again in the same millisecond was not closed. */
export const insertContradictions = (db: Writer, rows: readonly ContradictionRow[]) =>
  db.run(sql`
    insert into truth_contradictions (tenant, contradiction_id, opened_at, entity_id, entity_type, field, observed_at,
      observation_id, other_entity_id, other_observed_at, other_observation_id, closed_at, closed_by, closing_id, actor,
      reason, row_hash)
    values ${values(
      rows.map((row) => [
        ...[db.tenant, row.contradiction_id, row.opened_at, row.entity_id, row.entity_type, row.field],
        ...[row.observed_at, row.observation_id, row.other_entity_id, row.other_observed_at, row.other_observation_id],
        ...[row.closed_at, row.closed_by, row.closing_id, row.actor, row.reason, rowHash.of(row)],
      ]),
    )}
    on conflict (tenant, contradiction_id, opened_at) do update set closed_at = excluded.closed_at,
      closed_by = excluded.closed_by, closing_id = excluded.closing_id, actor = excluded.actor,
      reason = excluded.reason, row_hash = excluded.row_hash`);

export type Closing = Required<Pick<ContradictionRow, 'closed_by' | 'closing_id' | 'actor' | 'reason'>>;

export const closeContradiction = (db: Writer, row: ContradictionRow, closing: Closing) => {
  const closed: ContradictionRow = { ...row, ...closing, closed_at: db.now };
  return db.run(sql`
    update truth_contradictions set closed_at = ${closed.closed_at}, closed_by = ${closed.closed_by},
      closing_id = ${closed.closing_id}, actor = ${closed.actor}, reason = ${closed.reason},
      row_hash = ${rowHash.of(closed)}
    where tenant = ${db.tenant} and contradiction_id = ${row.contradiction_id} and opened_at = ${row.opened_at}`);
};

/** The newest time for which it was open. */
export const findContradiction = (db: Reader, contradictionId: string) =>
  rowHash.get(
    db,
    sql<Stored>`
    select ${columns} from truth_contradictions
    where tenant = ${db.tenant} and contradiction_id = ${contradictionId} order by opened_at desc limit 1`,
  );

/** Of these entities, newest first. */
export const listOfEntities = (db: Reader, entityIds: readonly string[], limit: number) =>
  rowHash.all(
    db,
    sql<Stored>`
    select ${columns} from truth_contradictions
    where tenant = ${db.tenant} and entity_id in ${list(entityIds)}
    order by opened_at desc, contradiction_id limit ${limit}`,
  );

/** Those that are open, newest first. */
export const listOpenOfEntities = (db: Reader, entityIds: readonly string[], limit: number) =>
  rowHash.all(
    db,
    sql<Stored>`
    select ${columns} from truth_contradictions
    where tenant = ${db.tenant} and entity_id in ${list(entityIds)} and closed_at is null
    order by opened_at desc, contradiction_id limit ${limit}`,
  );

export type Place = Pick<ContradictionRow, 'opened_at' | 'contradiction_id'>;

const before = ({ opened_at, contradiction_id }: Place): Sql =>
  sql`(opened_at, contradiction_id) < (${opened_at}, ${contradiction_id})`;
const newestFirst = sql`order by opened_at desc, contradiction_id desc`;

/** Newest first, after a place; each uses an index of its own. */
export const listPage = (db: Reader, after: Place, limit: number) =>
  rowHash.all(
    db,
    sql<Stored>`
    select ${columns} from truth_contradictions where tenant = ${db.tenant} and ${before(after)}
    ${newestFirst} limit ${limit}`,
  );

export const listOpenPage = (db: Reader, after: Place, limit: number) =>
  rowHash.all(
    db,
    sql<Stored>`
    select ${columns} from truth_contradictions
    where tenant = ${db.tenant} and closed_at is null and ${before(after)} ${newestFirst} limit ${limit}`,
  );

/** Counts up to `limit`. */
export const countOpen = (db: Reader, limit: number) =>
  db.get(sql<{ readonly count: number }>`
    select count(*) as count from (
      select 1 from truth_contradictions where tenant = ${db.tenant} and closed_at is null limit ${limit}) counted`);

export const listPageOfType = (db: Reader, type: string, after: Place, limit: number) =>
  rowHash.all(
    db,
    sql<Stored>`
    select ${columns} from truth_contradictions
    where tenant = ${db.tenant} and entity_type = ${type} and ${before(after)} ${newestFirst} limit ${limit}`,
  );

export const listPageOfEntities = (db: Reader, entityIds: readonly string[], after: Place, limit: number) =>
  rowHash.all(
    db,
    sql<Stored>`
    select ${columns} from truth_contradictions
    where tenant = ${db.tenant} and entity_id in ${list(entityIds)} and ${before(after)} ${newestFirst} limit ${limit}`,
  );

export interface MemberRow {
  readonly root_id: string;
  readonly entity_id: string;
}

/** The groups of these entities. */
export const listGroupsOf = (db: Reader, entityIds: readonly string[]) =>
  db.all(sql<MemberRow>`
    with recursive members (root_id, entity_id) as (
      select root_id, root_id from truth_entities where tenant = ${db.tenant} and entity_id in ${list(entityIds)}
      union
      select m.root_id, e.entity_id from members m cross join truth_entities e
      where e.tenant = ${db.tenant} and e.merged_into = m.entity_id and e.merged_into <> ''
    )
    select root_id, entity_id from members`);

/** A statement that may disagree with others of an entity that begin in the same span. */
export interface Probe {
  readonly place: number;
  readonly entityId: string;
  readonly from: number;
  readonly end: number;
  /** Earlier statements whose start is not precise can begin in the span too. */
  readonly statedFrom: number;
  readonly origin: string;
  readonly fields: string;
}

/**
 * The places of the probes whose entity has a statement of another source in the span. It compares with the newest
 * `limit` ones of each span, so the cost does not grow with the store. No fragments: the statement is prepared once.
 */
export const findDisputed = (db: Reader, probes: readonly Probe[], limit: number) =>
  db.all(sql<{ readonly place: number }>`
    with p (place, entity_id, from_at, end_at, stated_from, origin, fields) as (values ${values(
      probes.map((one) => [...[one.place, one.entityId, one.from, one.end, one.statedFrom, one.origin, one.fields]]),
    )})
    select cast(p.place as bigint) as place from p
    where exists (
      select 1 from (
        select o.origin, o.fields, o.details from truth_observations o
        where o.tenant = ${db.tenant} and o.entity_id = p.entity_id and o.observed_at >= cast(p.from_at as bigint)
          and o.observed_at < cast(p.end_at as bigint)
        order by o.observed_at desc, o.observation_id limit ${limit}) c
      where c.origin <> p.origin and (c.fields <> p.fields or c.details like '%"ended"%'))
    or exists (
      select 1 from (
        select o.origin, o.fields, o.details from truth_observations o
        where o.tenant = ${db.tenant} and o.entity_id = p.entity_id and o.effective_at >= cast(p.stated_from as bigint)
          and o.effective_at < cast(p.end_at as bigint) and (o.effective_at <> o.observed_at or o.details <> '{}')
        order by o.effective_at desc, o.observation_id limit ${limit}) c
      where c.origin <> p.origin and (c.fields <> p.fields or c.details like '%"ended"%'))`);

/** Live statements of these entities that begin in the span, or may. */
export const listCompeting = (
  db: Reader,
  entityIds: readonly string[],
  { from, end, statedFrom }: Pick<Probe, 'from' | 'end' | 'statedFrom'>,
  limit: number,
) =>
  observationHash.all(
    db,
    sql<StoredObservation>`
    select * from (
      select ${observationColumns} from truth_observations
      where tenant = ${db.tenant} and entity_id in ${list(entityIds)} and observed_at >= ${from} and observed_at < ${end}
        and effective_at = observed_at and details = '{}' and source_kind <> 'correction' and retracted_at is null
      order by observed_at desc, observation_id limit ${limit}) as defaults
    union all
    select * from (
      select ${observationColumns} from truth_observations
      where tenant = ${db.tenant} and entity_id in ${list(entityIds)} and effective_at >= ${statedFrom}
        and effective_at < ${end} and (effective_at <> observed_at or details <> '{}')
        and source_kind <> 'correction' and retracted_at is null
      order by effective_at desc, observation_id limit ${limit}) as stated`,
  );

/** Live corrections of these entities, newest first. */
export const listCorrections = (db: Reader, entityIds: readonly string[], limit: number) =>
  observationHash.all(
    db,
    sql<StoredObservation>`
    select ${observationColumns} from truth_observations
    where tenant = ${db.tenant} and entity_id in ${list(entityIds)} and source_kind = 'correction'
      and retracted_at is null
    order by observed_at desc, observation_id limit ${limit}`,
  );

/** Unsorted. */
export const findContradictions = (db: Reader, contradictionIds: readonly string[]) =>
  rowHash.all(
    db,
    sql<Stored>`
    select ${columns} from truth_contradictions
    where tenant = ${db.tenant} and contradiction_id in ${list(contradictionIds)}`,
  );

/** Only for forgetting. */
export const setContradictionReason = (db: Writer, row: ContradictionRow) =>
  db.run(sql`
    update truth_contradictions set reason = ${row.reason}, row_hash = ${rowHash.of(row)}
    where tenant = ${db.tenant} and contradiction_id = ${row.contradiction_id} and opened_at = ${row.opened_at}`);
