import type { TenantId } from '../call.ts';
import type { Change, Topic } from './port.ts';
import { type Sql, sql } from './sql.ts';

/** The questions that caches and subscriptions ask of the change log. */
export const versionQuery = (tenant: TenantId, topic: Topic | undefined): Sql<{ readonly seq: number | null }> =>
  topic === undefined
    ? sql`select max(seq) as seq from changes where tenant = ${tenant}`
    : sql`select max(seq) as seq from changes where tenant = ${tenant} and topic = ${topic}`;

export const changesQuery = (tenant: TenantId, topic: Topic | undefined, seq: number, limit: number): Sql<Change> =>
  topic === undefined
    ? sql`select seq, topic, id, what, hash from changes where tenant = ${tenant} and seq > ${seq} order by seq limit ${limit}`
    : sql`
        select seq, topic, id, what, hash from changes
        where tenant = ${tenant} and topic = ${topic} and seq > ${seq} order by seq limit ${limit}`;
