import type { Reader, Writer } from '#kernel/storage/port.ts';
import { list, sql, values } from '#kernel/storage/sql.ts';
import type { SourceKind } from '../../observations/observation.ts';

export interface MemberRow {
  readonly root_id: string;
  readonly entity_id: string;
  readonly canonical_name: string;
}

/** The entities merged into these roots now. Names are looked up last, because the index of groups does not have them. */
export const listMembersOf = (db: Reader, rootIds: readonly string[]) =>
  db.all(sql<MemberRow>`
    with recursive members (root_id, entity_id) as (
      select entity_id, entity_id from truth_entities
      where tenant = ${db.tenant} and entity_id in ${list(rootIds)}
      union
      select m.root_id, e.entity_id from members m cross join truth_entities e
      where e.tenant = ${db.tenant} and e.merged_into = m.entity_id and e.merged_into <> ''
    )
    select m.root_id, m.entity_id, e.canonical_name from members m cross join truth_entities e
    where e.tenant = ${db.tenant} and e.entity_id = m.entity_id and m.entity_id <> m.root_id`);

export interface StatedRow {
  readonly entity_id: string;
  readonly source_kind: SourceKind;
  readonly source_id: string;
  readonly role: string;
  readonly fields: string;
  readonly raw_fragments: string;
  readonly effective_at: number;
  readonly effective_until: number | null;
  readonly retracted_at: number | null;
}

/** Newest first. Unchecked: the index is derived, and every read of an observation checks it. */
export const listStated = (db: Reader, entityIds: readonly string[], limit: number) =>
  db.all(sql<StatedRow>`
    select entity_id, source_kind, source_id, role, fields, raw_fragments, effective_at, effective_until, retracted_at
    from truth_observations
    where tenant = ${db.tenant} and entity_id in ${list(entityIds)}
    order by observed_at desc, observation_id limit ${limit}`);

export interface TextRow {
  readonly entity_id: string;
  readonly text: string;
}

export const findTexts = (db: Reader, entityIds: readonly string[]) =>
  db.all(sql<TextRow>`
    select entity_id, text from truth_entity_texts where tenant = ${db.tenant} and entity_id in ${list(entityIds)}`);

export const saveTexts = (db: Writer, rows: readonly TextRow[]) =>
  db.run(sql`
    insert into truth_entity_texts (tenant, entity_id, text)
    values ${values(rows.map(({ entity_id, text }) => [db.tenant, entity_id, text]))}
    on conflict (tenant, entity_id) do update set text = excluded.text`);

export const deleteTexts = (db: Writer, entityIds: readonly string[]) =>
  db.run(sql`delete from truth_entity_texts where tenant = ${db.tenant} and entity_id in ${list(entityIds)}`);

export const deleteAllTexts = (db: Writer) => db.run(sql`delete from truth_entity_texts where tenant = ${db.tenant}`);

export interface QueueRow {
  readonly ticket: string;
  readonly ids: string;
}

/** One row for any number of entities: two writers never wait for each other here. */
export const insertQueued = (db: Writer, ticket: string, entities: readonly unknown[]) =>
  db.run(sql`
    insert into truth_entity_queue (tenant, ticket, ids, ids_count)
    values (${db.tenant}, ${ticket}, ${JSON.stringify(entities)}, ${entities.length})`);

export const listQueued = (db: Reader, upTo: string, limit: number) =>
  db.all(sql<QueueRow>`
    select ticket, ids from truth_entity_queue where tenant = ${db.tenant} and ticket <= ${upTo}
    order by ticket limit ${limit}`);

export const findQueued = (db: Reader, ticket: string) =>
  db.all(sql<QueueRow>`
    select ticket, ids from truth_entity_queue where tenant = ${db.tenant} and ticket = ${ticket}`);

/** After every ticket. */
export const lastTicket = '~';

/** PostgreSQL returns a sum as text. */
export const countQueued = (db: Reader, upTo: string = lastTicket) =>
  db.get(sql<{ readonly n: number | string | null; readonly last: string | null }>`
    select sum(ids_count) as n, max(ticket) as last from truth_entity_queue
    where tenant = ${db.tenant} and ticket <= ${upTo}`);

export const deleteQueued = (db: Writer, tickets: readonly string[]) =>
  db.run(sql`delete from truth_entity_queue where tenant = ${db.tenant} and ticket in ${list(tickets)}`);

export const listTickets = (db: Reader) =>
  db.all(sql<Pick<QueueRow, 'ticket'>>`select ticket from truth_entity_queue where tenant = ${db.tenant}`);

interface IdRow {
  readonly entity_id: string;
}

/** Roots after one, by id. */
export const listRootIds = (db: Reader, after: string, limit: number) =>
  db.all(sql<IdRow>`
    select entity_id from truth_entities
    where tenant = ${db.tenant} and entity_id > ${after} and merged_into = ''
    order by entity_id limit ${limit}`);

export interface AgeRow extends IdRow {
  readonly created_at: number;
}

/** Unsorted. */
export const findAges = (db: Reader, entityIds: readonly string[]) =>
  db.all(sql<AgeRow>`
    select entity_id, created_at from truth_entities
    where tenant = ${db.tenant} and entity_id in ${list(entityIds)} and merged_into = ''`);

/** Newest first. The index alone answers it, so a place far down costs little: the rows contain whole states. */
export const listRoots = (db: Reader, limit: number, offset: number) =>
  db.all(sql<AgeRow>`
    select entity_id, created_at from truth_entities
    where tenant = ${db.tenant} and merged_into = ''
    order by created_at desc, entity_id limit ${limit} offset ${offset}`);

export const listRootsOfType = (db: Reader, type: string, limit: number, offset: number) =>
  db.all(sql<AgeRow>`
    select entity_id, created_at from truth_entities
    where tenant = ${db.tenant} and entity_type = ${type} and merged_into = ''
    order by created_at desc, entity_id limit ${limit} offset ${offset}`);

/** Roots of any type before a key, newest first. Uses the index by age alone. */
export const listNewestRoots = (db: Reader, before: AgeRow, limit: number) =>
  db.all(sql<AgeRow>`
    select entity_id, created_at from truth_entities
    where tenant = ${db.tenant} and merged_into = '' and created_at <= ${before.created_at}
      and (created_at < ${before.created_at} or entity_id > ${before.entity_id})
    order by created_at desc, entity_id limit ${limit}`);

export const listNewestRootsOfType = (db: Reader, type: string, before: AgeRow, limit: number) =>
  db.all(sql<AgeRow>`
    select entity_id, created_at from truth_entities
    where tenant = ${db.tenant} and entity_type = ${type} and merged_into = '' and created_at <= ${before.created_at}
      and (created_at < ${before.created_at} or entity_id > ${before.entity_id})
    order by created_at desc, entity_id limit ${limit}`);
