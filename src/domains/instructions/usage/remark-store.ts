import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { list, sql, values } from '#kernel/storage/sql.ts';
import { instructionLimits } from '../instruction-limits.ts';

/** A signal, a comment or both. */
export interface RemarkRow {
  readonly id: string;
  /** Per instruction, from 1. */
  readonly number: number;
  readonly at: number;
  /** Empty if unknown. */
  readonly actor: string;
  readonly signal: string | null;
  readonly comment: string | null;
  /** Of the body that it is about; null if unknown. */
  readonly source_hash: string | null;
}

export type NewRemark = Pick<RemarkRow, 'id' | 'signal' | 'comment' | 'source_hash'>;

const insertRemarks = (db: Writer, rows: readonly RemarkRow[]) =>
  db.run(sql`
    insert into usage_remarks (tenant, id, number, at, actor, signal, comment, source_hash)
    values ${values(
      rows.map((row) => [db.tenant, row.id, row.number, row.at, row.actor, row.signal, row.comment, row.source_hash]),
    )}`);

const findLastNumbers = (db: Reader, ids: readonly string[]) =>
  db.all(sql<Pick<RemarkRow, 'id' | 'number'>>`
    select id, max(number) as number from usage_remarks where tenant = ${db.tenant} and id in ${list(ids)} group by id`);

const deleteOlder = (db: Writer, id: string, through: number) =>
  db.run(sql`delete from usage_remarks where tenant = ${db.tenant} and id = ${id} and number <= ${through}`);

/** After the uses are counted: that locks the instructions, so that two processes never give the same number. */
export function* addRemarks(db: Writer, actor: string, remarks: readonly NewRemark[]): Work<void> {
  if (remarks.length === 0) return;
  const ids = [...new Set(remarks.map(({ id }) => id))];
  const last = new Map((yield* findLastNumbers(db, ids)).map(({ id, number }) => [id, number]));
  const rows = remarks.map((remark): RemarkRow => {
    const number = (last.get(remark.id) ?? 0) + 1;
    last.set(remark.id, number);
    return { ...remark, number, at: db.now, actor };
  });
  yield* insertRemarks(db, rows);
  for (const [id, number] of last) {
    const through = number - instructionLimits.keptRemarksCount;
    if (through > 0) yield* deleteOlder(db, id, through);
  }
}

/** Newest first. */
export const findRemarks = (db: Reader, ids: readonly string[]) =>
  db.all(sql<RemarkRow>`
    select id, number, at, actor, signal, comment, source_hash from usage_remarks
    where tenant = ${db.tenant} and id in ${list(ids)} order by id, number desc`);

export const findSignals = (db: Reader, signals: readonly string[]) =>
  db.all(sql<RemarkRow>`
    select id, number, at, actor, signal, null as comment, source_hash from usage_remarks
    where tenant = ${db.tenant} and signal in ${list(signals)}`);

export const findNewestComments = (db: Reader, limit: number) =>
  db.all(sql<RemarkRow>`
    select id, number, at, actor, signal, comment, source_hash from usage_remarks
    where tenant = ${db.tenant} and comment is not null order by at desc, id, number desc limit ${limit}`);

export const deleteRemarks = (db: Writer, ids: readonly string[]) =>
  db.run(sql`delete from usage_remarks where tenant = ${db.tenant} and id in ${list(ids)}`);
