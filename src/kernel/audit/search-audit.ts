import { limits } from '../limits.ts';
import type { Reader, Work } from '../storage/port.ts';
import { allOf, type Sql, sql } from '../storage/sql.ts';
import type { AuditRow } from './chain.ts';

export interface AuditFilter {
  readonly topic?: string | undefined;
  readonly id?: string | undefined;
  readonly actor?: string | undefined;
  readonly tool?: string | undefined;
  /** First and last moment, inclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Only rows below this number. */
  readonly beforeSeq?: number | undefined;
  readonly limit: number;
}

export interface AuditPage {
  readonly rows: readonly AuditRow[];
  /** Where the next page starts; missing at the end. */
  readonly nextBeforeSeq?: number;
}

const columns = 'tenant, seq, topic, id, what, hash, actor, tool, at, mac';

export const selectRows = (where: Sql, order: 'asc' | 'desc', limit: number): Sql<AuditRow> => ({
  parts: [`select ${columns} from changes where `, ` order by seq ${order} limit `, ''],
  args: [where, limit],
});

export const findRow = (db: Reader, seq: number) =>
  db.get(selectRows(sql`tenant = ${db.tenant} and seq = ${seq}`, 'asc', 1));

const nextRow = (db: Reader, seq: number) =>
  db.get(sql<Pick<AuditRow, 'seq' | 'at'>>`
    select seq, at from changes where tenant = ${db.tenant} and seq >= ${seq} order by seq limit 1`);

const newestSeq = (db: Reader) =>
  db.get(sql<{ seq: number | null }>`select max(seq) as seq from changes where tenant = ${db.tenant}`);

/** The number of the first row after a moment. Times never decrease within a tenant, so it can be searched for. */
function* firstSeqAfter(db: Reader, at: number): Work<number> {
  let low = 1;
  let high = ((yield* newestSeq(db))?.seq ?? 0) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = yield* nextRow(db, middle);
    if (row === undefined || row.at > at) high = middle;
    else low = row.seq + 1;
  }
  return low;
}

const filterNames = ['tool', 'actor', 'topic', 'id'] as const;

/** The first three have an index; the other conditions are checked row by row. */
function indexedCondition({ tool, actor, topic }: AuditFilter): readonly Sql[] {
  if (tool !== undefined) return [sql`tool = ${tool}`];
  if (actor !== undefined) return [sql`actor = ${actor}`];
  return topic === undefined ? [] : [sql`topic = ${topic}`];
}

/**
 * Newest first. Examines a limited number of rows, so a page may be short or empty although older rows match; the next
 * page continues there.
 */
export function* searchAudit(db: Reader, filter: AuditFilter): Work<AuditPage> {
  const { from, to, limit } = filter;
  const afterTo = to === undefined ? Number.MAX_SAFE_INTEGER : yield* firstSeqAfter(db, to);
  const given = filterNames.filter((name) => filter[name] !== undefined);
  const indexed = indexedCondition(filter);
  const pageCount = given.length > indexed.length ? limits.auditPageCount : limit + 1;
  const rows: AuditRow[] = [];
  let before = Math.min(filter.beforeSeq ?? afterTo, afterTo);
  for (let examined = 0; examined < limits.auditExaminedCount; ) {
    const where = allOf([sql`tenant = ${db.tenant}`, ...indexed, sql`seq < ${before}`]);
    const found = yield* db.all(selectRows(where, 'desc', pageCount));
    for (const row of found) {
      if (from !== undefined && row.at < from) return { rows };
      if (rows.length === limit) return { rows, nextBeforeSeq: before };
      if (given.every((name) => row[name] === filter[name])) rows.push(row);
      before = row.seq;
    }
    if (found.length < pageCount) return { rows };
    examined += found.length;
  }
  return { rows, nextBeforeSeq: before };
}
