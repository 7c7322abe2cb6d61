import type { Reader, Writer } from '#kernel/storage/port.ts';
import { sql, values } from '#kernel/storage/sql.ts';

/** Calls of one hour in one place of the program. */
export interface UsageHour {
  /** Hours since 1970. */
  readonly hour: number;
  readonly memory: string;
  readonly calls_count: number;
  readonly writes_count: number;
  readonly errors_count: number;
}

/** Adds up in the statement, so that concurrent processes lose no counts. */
export const addUsage = (db: Writer, rows: readonly UsageHour[]) =>
  db.run(sql`
    insert into usage_hours (tenant, hour, memory, calls_count, writes_count, errors_count)
    values ${values(
      rows.map((row) => [db.tenant, row.hour, row.memory, row.calls_count, row.writes_count, row.errors_count]),
    )}
    on conflict (tenant, hour, memory) do update set
      calls_count = usage_hours.calls_count + excluded.calls_count,
      writes_count = usage_hours.writes_count + excluded.writes_count,
      errors_count = usage_hours.errors_count + excluded.errors_count`);

export const listUsage = (db: Reader, fromHour: number) =>
  db.all(sql<UsageHour>`
    select hour, memory, calls_count, writes_count, errors_count from usage_hours
    where tenant = ${db.tenant} and hour >= ${fromHour} order by hour, memory`);

export const deleteOldUsage = (db: Writer, beforeHour: number) =>
  db.run(sql`delete from usage_hours where tenant = ${db.tenant} and hour < ${beforeHour}`);
