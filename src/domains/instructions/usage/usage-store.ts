import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { list, sql } from '#kernel/storage/sql.ts';
import { deleteRemarks } from './remark-store.ts';

export interface CountRow {
  readonly id: string;
  readonly usage_count: number;
  readonly first_seen_at: number;
  readonly last_used_at: number;
}

export interface Increment {
  readonly id: string;
  readonly action: string | null;
  readonly signal: string | null;
  readonly comment: string | null;
  /** null when the event has no metrics. */
  readonly success: 1 | 0 | null;
  readonly executionMs: number;
  readonly errorCode: string | null;
  /** 0 for further events of one instruction in the same call: they are recorded, but count as one use. */
  readonly by: 1 | 0;
}

const toBit = (isSo: boolean): number => (isSo ? 1 : 0);

/**
 * Returns the updated row, or undefined when the rate limit is reached. One statement, so that concurrent processes do
 * not lose counts.
 */
export const increment = (db: Writer, event: Increment, perSecondMax: number) =>
  db.get(sql<CountRow>`
    insert into usage (tenant, id, usage_count, first_seen_at, last_used_at, last_action, last_signal, last_comment,
      helpful_count, not_relevant_count, outdated_count, applied_count, success_count, failure_count,
      execution_ms, last_error_code, window_s, window_count)
    values (${db.tenant}, ${event.id}, ${event.by}, ${db.now}, ${db.now}, ${event.action}, ${event.signal}, ${event.comment},
      ${toBit(event.signal === 'helpful')}, ${toBit(event.signal === 'not-relevant')},
      ${toBit(event.signal === 'outdated')}, ${toBit(event.signal === 'applied')},
      ${toBit(event.success === 1)}, ${toBit(event.success === 0)},
      ${event.executionMs}, ${event.errorCode}, ${Math.floor(db.now / 1000)}, ${event.by})
    on conflict (tenant, id) do update set
      usage_count = usage.usage_count + excluded.usage_count,
      last_used_at = case when excluded.last_used_at > usage.last_used_at then excluded.last_used_at else usage.last_used_at end,
      last_action = coalesce(excluded.last_action, usage.last_action),
      last_signal = coalesce(excluded.last_signal, usage.last_signal),
      last_comment = coalesce(excluded.last_comment, usage.last_comment),
      helpful_count = usage.helpful_count + excluded.helpful_count,
      not_relevant_count = usage.not_relevant_count + excluded.not_relevant_count,
      outdated_count = usage.outdated_count + excluded.outdated_count,
      applied_count = usage.applied_count + excluded.applied_count,
      success_count = usage.success_count + excluded.success_count,
      failure_count = usage.failure_count + excluded.failure_count,
      execution_ms = usage.execution_ms + excluded.execution_ms,
      last_error_code = coalesce(excluded.last_error_code, usage.last_error_code),
      window_s = excluded.window_s,
      window_count = case when usage.window_s = excluded.window_s then usage.window_count + excluded.window_count
        else excluded.window_count end
    where usage.window_s <> excluded.window_s or usage.window_count < ${perSecondMax} or excluded.usage_count = 0
    returning id, usage_count, first_seen_at, last_used_at`);

export const findCount = (db: Reader, id: string) =>
  db.get(sql<CountRow>`
    select id, usage_count, first_seen_at, last_used_at from usage where tenant = ${db.tenant} and id = ${id}`);

export const findCounts = (db: Reader, ids: readonly string[]) =>
  db.all(sql<CountRow>`
    select id, usage_count, first_seen_at, last_used_at from usage where tenant = ${db.tenant} and id in ${list(ids)}`);

/** In the order of the index `usage_by_count`. */
export const mostUsed = (db: Reader, limit: number, offset: number) =>
  db.all(sql<CountRow>`
    select id, usage_count, first_seen_at, last_used_at from usage where tenant = ${db.tenant}
    order by usage_count desc, last_used_at desc, id limit ${limit} offset ${offset}`);

export const usedSince = (db: Reader, since: number) =>
  db.all(sql<{ readonly id: string; readonly last_at: number }>`
    select id, last_used_at as last_at from usage where tenant = ${db.tenant} and last_used_at >= ${since}`);

interface SignalTotalsRow {
  readonly helpful_count: number;
  readonly not_relevant_count: number;
  readonly outdated_count: number;
  readonly applied_count: number;
}

export function* findSignalTotals(db: Reader, id: string): Work<Readonly<Record<string, number>>> {
  const row = yield* db.get(sql<SignalTotalsRow>`
    select helpful_count, not_relevant_count, outdated_count, applied_count from usage
    where tenant = ${db.tenant} and id = ${id}`);
  const { helpful_count = 0, not_relevant_count = 0, outdated_count = 0, applied_count = 0 } = row ?? {};
  return {
    helpful: helpful_count,
    'not-relevant': not_relevant_count,
    outdated: outdated_count,
    applied: applied_count,
  };
}

export const idsAfter = (db: Reader, after: string, limit: number) =>
  db.all(sql<{ readonly id: string }>`
    select id from usage where tenant = ${db.tenant} and id > ${after} order by id limit ${limit}`);

export function* deleteCounts(db: Writer, ids: readonly string[]): Work<void> {
  yield* db.run(sql`delete from usage where tenant = ${db.tenant} and id in ${list(ids)}`);
  yield* deleteRemarks(db, ids);
}
