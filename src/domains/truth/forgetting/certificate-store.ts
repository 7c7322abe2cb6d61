import type { Reader, Writer } from '#kernel/storage/port.ts';
import { sql } from '#kernel/storage/sql.ts';

export interface ForgettingRow {
  readonly certificate_id: string;
  readonly forgotten_at: number;
  readonly completed_at: number | null;
  /** JSON; see `CertificateDocument`. */
  readonly document: string;
  /** JSON; see `LeftWork`. Null: only the bytes of the store are left. */
  readonly work: string | null;
}

export const insertForgetting = (db: Writer, row: Omit<ForgettingRow, 'completed_at'>) =>
  db.run(sql`
    insert into truth_forgettings (tenant, certificate_id, forgotten_at, completed_at, document, work)
    values (${db.tenant}, ${row.certificate_id}, ${row.forgotten_at}, null, ${row.document}, ${row.work})`);

export const findForgetting = (db: Reader, certificateId: string) =>
  db.get(sql<ForgettingRow>`
    select certificate_id, forgotten_at, completed_at, document, work from truth_forgettings
    where tenant = ${db.tenant} and certificate_id = ${certificateId}`);

/** Oldest first. */
export const listPending = (db: Reader, limit: number) =>
  db.all(sql<ForgettingRow>`
    select certificate_id, forgotten_at, completed_at, document, work from truth_forgettings
    where tenant = ${db.tenant} and completed_at is null order by forgotten_at, certificate_id limit ${limit}`);

export const finishWork = (db: Writer, certificateId: string) =>
  db.run(sql`
    update truth_forgettings set work = null where tenant = ${db.tenant} and certificate_id = ${certificateId}`);

export const completeForgettings = (db: Writer, upTo: number) =>
  db.run(sql`
    update truth_forgettings set completed_at = ${db.now}
    where tenant = ${db.tenant} and completed_at is null and work is null and forgotten_at <= ${upTo}`);

/** Files with these bytes, in any bucket. */
export const countFiles = (db: Reader, sha256: string) =>
  db.get(sql<{ readonly count: number }>`
    select count(*) as count from truth_files where tenant = ${db.tenant} and sha256 = ${sha256}`);
