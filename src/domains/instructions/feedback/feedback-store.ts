import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { defineRowHash, type Hashed } from '#kernel/storage/row-hash.ts';
import { allOf, list, type Sql, sql } from '#kernel/storage/sql.ts';

export interface FeedbackRow {
  readonly id: string;
  readonly type: string;
  readonly severity: string;
  readonly status: string;
  readonly title: string;
  readonly description: string;
  readonly context: string | null;
  readonly tags: string | null;
  readonly admin_notes: string | null;
  readonly created_at: number;
  readonly updated_at: number | null;
}

export interface FeedbackFilter {
  readonly type?: string | undefined;
  readonly severity?: string | undefined;
  readonly status?: string | undefined;
  readonly sinceAt?: number | undefined;
  readonly untilAt?: number | undefined;
  readonly tags?: readonly string[] | undefined;
}

export interface TotalsRow {
  readonly entries_count: number;
  readonly bytes: number;
  readonly updated_at: number;
}

const columns = sql`id, type, severity, status, title, description, context, tags, admin_notes, created_at, updated_at,
  row_hash`;

const rowHash = defineRowHash<FeedbackRow>(
  {
    table: 'feedback',
    columns: [
      ...['id', 'type', 'severity', 'status', 'title', 'description', 'context', 'tags', 'admin_notes'],
      ...['created_at', 'updated_at'],
    ],
  },
  ({ id }) => `feedback ${id}`,
);

type StoredFeedback = FeedbackRow & Hashed;

const conditionsOf = (db: Reader, filter: FeedbackFilter): Sql =>
  allOf([
    sql`tenant = ${db.tenant}`,
    ...(filter.type === undefined ? [] : [sql`type = ${filter.type}`]),
    ...(filter.severity === undefined ? [] : [sql`severity = ${filter.severity}`]),
    ...(filter.status === undefined ? [] : [sql`status = ${filter.status}`]),
    ...(filter.sinceAt === undefined ? [] : [sql`created_at >= ${filter.sinceAt}`]),
    ...(filter.untilAt === undefined ? [] : [sql`created_at <= ${filter.untilAt}`]),
    ...(filter.tags === undefined || filter.tags.length === 0
      ? []
      : [
          sql`id in (select feedback_id from feedback_tags where tenant = ${db.tenant} and tag in ${list(filter.tags)})`,
        ]),
  ]);

export const insertEntry = (db: Writer, row: FeedbackRow) =>
  db.run(sql`
    insert into feedback (tenant, ${columns})
    values (${db.tenant}, ${row.id}, ${row.type}, ${row.severity}, ${row.status}, ${row.title}, ${row.description},
      ${row.context}, ${row.tags}, ${row.admin_notes}, ${row.created_at}, ${row.updated_at}, ${rowHash.of(row)})`);

export const insertTag = (db: Writer, id: string, tag: string) =>
  db.run(sql`insert into feedback_tags (tenant, tag, feedback_id) values (${db.tenant}, ${tag}, ${id})`);

export const findEntry = (db: Reader, id: string) =>
  rowHash.get(db, sql<StoredFeedback>`select ${columns} from feedback where tenant = ${db.tenant} and id = ${id}`);

/** Returns the updated row, or undefined. */
export function* updateEntry(
  db: Writer,
  id: string,
  status: string,
  adminNotes: string | null,
): Work<FeedbackRow | undefined> {
  yield* db.lock(`feedback:${id}`);
  const before = yield* findEntry(db, id);
  if (before === undefined) return undefined;
  const { row_hash: _hash, ...row } = before;
  const after = { ...row, status, admin_notes: adminNotes ?? row.admin_notes, updated_at: db.now };
  yield* db.run(sql`
    update feedback set status = ${after.status}, admin_notes = ${after.admin_notes}, updated_at = ${after.updated_at},
      row_hash = ${rowHash.of(after)}
    where tenant = ${db.tenant} and id = ${id}`);
  return after;
}

/** Newest first. */
export const listEntries = (db: Reader, filter: FeedbackFilter, limit: number, offset: number) =>
  rowHash.all(
    db,
    sql<StoredFeedback>`
    select ${columns} from feedback where ${conditionsOf(db, filter)}
    order by created_at desc, id desc limit ${limit} offset ${offset}`,
  );

export const countEntries = (db: Reader, filter: FeedbackFilter) =>
  db.get(sql<{ readonly n: number }>`select count(*) as n from feedback where ${conditionsOf(db, filter)}`);

export const countGroups = (db: Reader, filter: FeedbackFilter) =>
  db.all(sql<{ readonly type: string; readonly severity: string; readonly status: string; readonly n: number }>`
    select type, severity, status, count(*) as n from feedback where ${conditionsOf(db, filter)}
    group by type, severity, status order by type, severity, status`);

/** Without damaged ones: their copies in the trash would count as intact. */
export function* oldestEntries(db: Writer, limit: number): Work<readonly FeedbackRow[]> {
  const rows = yield* db.all(sql<StoredFeedback>`
    select ${columns} from feedback where tenant = ${db.tenant} order by created_at, id limit ${limit}`);
  return rows.filter(rowHash.isIntact);
}

export const deleteEntries = (db: Writer, ids: readonly string[]) =>
  db.run(sql`delete from feedback where tenant = ${db.tenant} and id in ${list(ids)}`);

export const deleteTags = (db: Writer, ids: readonly string[]) =>
  db.run(sql`delete from feedback_tags where tenant = ${db.tenant} and feedback_id in ${list(ids)}`);

/** Maintained with every change, so that counting does not scan all entries. */
export const addToTotals = (db: Writer, entries: number, bytes: number) =>
  db.get(sql<TotalsRow>`
    insert into feedback_totals (tenant, entries_count, bytes, updated_at)
    values (${db.tenant}, ${entries}, ${bytes}, ${db.now})
    on conflict (tenant) do update set
      entries_count = feedback_totals.entries_count + excluded.entries_count,
      bytes = feedback_totals.bytes + excluded.bytes, updated_at = excluded.updated_at
    returning entries_count, bytes, updated_at`);

export const findTotals = (db: Reader) =>
  db.get(sql<TotalsRow>`select entries_count, bytes, updated_at from feedback_totals where tenant = ${db.tenant}`);
