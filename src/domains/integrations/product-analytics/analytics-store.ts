import type { Reader, Writer } from '#kernel/storage/port.ts';
import { type Sql, sql, values } from '#kernel/storage/sql.ts';
import type { EventKind } from './analytics-source.ts';

/** Events of one user, day and kind. */
export interface EventSum {
  readonly actor: string;
  readonly day: number;
  readonly kind: EventKind;
  readonly count: number;
  readonly firstAt: number;
}

export const addDays = (db: Writer, sums: readonly EventSum[]) =>
  db.run(sql`
    insert into analytics_days (tenant, actor, day, kind, events_count, first_at)
    values ${values(sums.map(({ actor, day, kind, count, firstAt }) => [db.tenant, actor, day, kind, count, firstAt]))}
    on conflict (tenant, actor, day, kind) do update set
      events_count = analytics_days.events_count + excluded.events_count`);

/** The first use counts as the sign-up. */
export interface SeenUser {
  readonly actor: string;
  readonly firstDay: number;
  readonly firstAt: number;
  readonly lastDay: number;
}

export const addUsers = (db: Writer, users: readonly SeenUser[]) =>
  db.run(sql`
    insert into analytics_users (tenant, actor, first_day, first_at, last_day)
    values ${values(users.map(({ actor, firstDay, firstAt, lastDay }) => [db.tenant, actor, firstDay, firstAt, lastDay]))}
    on conflict (tenant, actor) do update set last_day = excluded.last_day
    where analytics_users.last_day < excluded.last_day`);

export const countSignups = (db: Reader, startMs: number, endMs: number) =>
  db.all(sql<{ day: number; users: number }>`
    select first_day as day, count(*) as users from analytics_users
    where tenant = ${db.tenant} and first_at >= ${startMs} and first_at < ${endMs}
    group by first_day order by first_day`);

interface ReturnRow {
  readonly day: number;
  readonly step: number;
  readonly users: number;
}

function returnsBy(db: Reader, startMs: number, endMs: number, step: Sql, condition: Sql) {
  return db.all<ReturnRow>(sql`
    select day, step, count(distinct actor) as users from (
      select u.first_day as day, ${step} as step, u.actor as actor
      from analytics_users u join analytics_days d on d.tenant = u.tenant and d.actor = u.actor
      where u.tenant = ${db.tenant} and u.first_at >= ${startMs} and u.first_at < ${endMs} and ${condition}
    ) returns group by day, step order by day, step`);
}

/** By calendar days after that of the sign-up. SQLite gets a number as a real one and would not divide integers. */
export const countReturns = (db: Reader, startMs: number, endMs: number, widthDays: number, windowsCount: number) =>
  returnsBy(
    db,
    startMs,
    endMs,
    sql`(d.day - u.first_day) / cast(${widthDays} as integer)`,
    sql`d.kind = 'active' and d.day < u.first_day + ${widthDays * windowsCount}`,
  );

/** By the time since the sign-up. */
export const countReached = (db: Reader, startMs: number, endMs: number, withinMs: number, kind: EventKind) =>
  returnsBy(db, startMs, endMs, sql`0`, sql`d.kind = ${kind} and d.first_at < u.first_at + ${withinMs}`);

export const countActive = (db: Reader, fromDay: number, toDay: number, stepDays: number) =>
  db.all(sql<{ step: number; users: number }>`
    select step, count(distinct actor) as users from (
      select cast(day - ${fromDay} as integer) / cast(${stepDays} as integer) as step, actor from analytics_days
      where tenant = ${db.tenant} and day >= ${fromDay} and day <= ${toDay} and kind = 'active'
    ) active group by step order by step`);

export const countEvents = (db: Reader, fromDay: number, toDay: number, kind: EventKind) =>
  db.all(sql<{ step: number; events: number; users: number }>`
    select step, sum(events_count) as events, count(distinct actor) as users from (
      select cast(day - ${fromDay} as integer) / 7 as step, actor, events_count from analytics_days
      where tenant = ${db.tenant} and day >= ${fromDay} and day <= ${toDay} and kind = ${kind}
    ) events group by step order by step`);

export const deleteOldDays = (db: Writer, beforeDay: number, limit: number) =>
  db.run(sql`
    delete from analytics_days where tenant = ${db.tenant} and (actor, day, kind) in (
      select actor, day, kind from analytics_days
      where tenant = ${db.tenant} and day < ${beforeDay} order by day limit ${limit})`);

export const deleteOldUsers = (db: Writer, beforeDay: number, limit: number) =>
  db.run(sql`
    delete from analytics_users where tenant = ${db.tenant} and actor in (
      select actor from analytics_users
      where tenant = ${db.tenant} and last_day < ${beforeDay} order by last_day limit ${limit})`);
