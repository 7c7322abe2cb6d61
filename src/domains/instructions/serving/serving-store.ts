import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { list, sql, values } from '#kernel/storage/sql.ts';

interface ServedCounts {
  readonly applies_count: number;
  readonly may_apply_count: number;
  readonly last_at: number;
}

/** How often one caller got a rule on one day. */
export interface ServedDay extends ServedCounts {
  /** Days since 1970. */
  readonly day: number;
  readonly id: string;
  readonly actor: string;
  /** Empty if the caller named none. */
  readonly workspace: string;
}

export interface ServedRule extends ServedCounts {
  readonly id: string;
  readonly first_at: number;
}

/** Adds up in the statement, so that concurrent processes lose no counts. The rows have different keys. */
const addToDays = (db: Writer, rows: readonly ServedDay[]) =>
  db.run(sql`
    insert into served_days (tenant, day, id, actor, workspace, applies_count, may_apply_count, last_at)
    values ${values(
      rows.map((row) => [
        ...[db.tenant, row.day, row.id, row.actor, row.workspace],
        ...[row.applies_count, row.may_apply_count, row.last_at],
      ]),
    )}
    on conflict (tenant, day, id, actor, workspace) do update set
      applies_count = served_days.applies_count + excluded.applies_count,
      may_apply_count = served_days.may_apply_count + excluded.may_apply_count,
      last_at = case when excluded.last_at > served_days.last_at then excluded.last_at else served_days.last_at end`);

const addToRules = (db: Writer, rows: readonly Omit<ServedRule, 'first_at'>[]) =>
  db.run(sql`
    insert into served_rules (tenant, id, applies_count, may_apply_count, first_at, last_at)
    values ${values(rows.map((row) => [db.tenant, row.id, row.applies_count, row.may_apply_count, row.last_at, row.last_at]))}
    on conflict (tenant, id) do update set
      applies_count = served_rules.applies_count + excluded.applies_count,
      may_apply_count = served_rules.may_apply_count + excluded.may_apply_count,
      last_at = case when excluded.last_at > served_rules.last_at then excluded.last_at else served_rules.last_at end`);

function sumByRule(rows: readonly ServedDay[]): readonly Omit<ServedRule, 'first_at'>[] {
  const rules = new Map<string, Omit<ServedRule, 'first_at'>>();
  for (const { id, applies_count, may_apply_count, last_at } of rows) {
    const known = rules.get(id) ?? { id, applies_count: 0, may_apply_count: 0, last_at: 0 };
    rules.set(id, {
      id,
      applies_count: known.applies_count + applies_count,
      may_apply_count: known.may_apply_count + may_apply_count,
      last_at: Math.max(known.last_at, last_at),
    });
  }
  return [...rules.values()];
}

const compareIds = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** Sorted by id, so that two processes lock their rows in the same order. */
export function* addServed(db: Writer, given: readonly ServedDay[]): Work<void> {
  const rows = given.toSorted(compareIds);
  yield* addToRules(db, sumByRule(rows));
  yield* addToDays(db, rows);
}

type DayKey = Pick<ServedDay, 'day' | 'id' | 'actor' | 'workspace'>;

const beforeAll: DayKey = { day: -1, id: '', actor: '', workspace: '' };

/** Deletes days before `day`, and the oldest rows above `rowsMax`, but only `limit` of them. Returns their number. */
export function* deleteOldDays(db: Writer, day: number, rowsMax: number, limit: number): Work<number> {
  const excess = yield* db.get(sql<DayKey>`
    select day, id, actor, workspace from served_days where tenant = ${db.tenant}
    order by day desc, id desc, actor desc, workspace desc limit 1 offset ${rowsMax}`);
  const last = excess ?? beforeAll;
  return yield* db.run(sql`
    delete from served_days where tenant = ${db.tenant} and (day, id, actor, workspace) in (
      select day, id, actor, workspace from served_days where tenant = ${db.tenant}
        and (day < ${day} or (day, id, actor, workspace) <= (${last.day}, ${last.id}, ${last.actor}, ${last.workspace}))
      order by day, id, actor, workspace limit ${limit})`);
}

export const findServedRules = (db: Reader) =>
  db.all(sql<ServedRule>`
    select id, applies_count, may_apply_count, first_at, last_at from served_rules where tenant = ${db.tenant}`);

export const findServedRule = (db: Reader, id: string) =>
  db.get(sql<ServedRule>`
    select id, applies_count, may_apply_count, first_at, last_at from served_rules
    where tenant = ${db.tenant} and id = ${id}`);

export const findServedSince = (db: Reader, since: number) =>
  db.all(sql<Pick<ServedRule, 'id' | 'last_at'>>`
    select id, last_at from served_rules where tenant = ${db.tenant} and last_at >= ${since}`);

export type Receiver = Omit<ServedDay, 'day' | 'id'>;

/** Who got the rule, the most recent first. */
export const findReceivers = (db: Reader, id: string, limit: number) =>
  db.all(sql<Receiver>`
    select actor, workspace, sum(applies_count) as applies_count,
      sum(may_apply_count) as may_apply_count, max(last_at) as last_at
    from served_days where tenant = ${db.tenant} and id = ${id}
    group by actor, workspace order by last_at desc, actor, workspace limit ${limit}`);

export const servedIdsAfter = (db: Reader, after: string, limit: number) =>
  db.all(sql<{ readonly id: string }>`
    select id from served_rules where tenant = ${db.tenant} and id > ${after} order by id limit ${limit}`);

export function* deleteServed(db: Writer, ids: readonly string[]): Work<void> {
  yield* db.run(sql`delete from served_rules where tenant = ${db.tenant} and id in ${list(ids)}`);
  yield* db.run(sql`delete from served_days where tenant = ${db.tenant} and id in ${list(ids)}`);
}
