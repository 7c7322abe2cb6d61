import type { Reader, Writer } from '#kernel/storage/port.ts';
import { defineRowHash, type Hashed } from '#kernel/storage/row-hash.ts';
import { list, sql } from '#kernel/storage/sql.ts';
import type { FileAddress } from './file-address.ts';

export interface FileRow {
  readonly bucket: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly content_type: string;
  readonly file_name: string;
  /** Null if it could not be analysed, or if only a payload references it. */
  readonly record_id: string | null;
  readonly created_at: number;
}

const rowHash = defineRowHash<Omit<FileRow, 'record_id'>>(
  { table: 'truth_files', columns: ['bucket', 'sha256', 'bytes', 'content_type', 'file_name', 'created_at'] },
  ({ bucket, sha256 }) => `file ${bucket}/${sha256}`,
);

/** Serialises uploads of the same bytes, so that they create one row and one record. */
export const lockFile = (db: Writer, { bucket, sha256 }: FileAddress) => db.lock(`file:${bucket}/${sha256}`);

export const findFile = (db: Reader, { bucket, sha256 }: FileAddress) =>
  rowHash.get(
    db,
    sql<FileRow & Hashed>`
    select bucket, sha256, bytes, content_type, file_name, record_id, created_at, row_hash from truth_files
    where tenant = ${db.tenant} and bucket = ${bucket} and sha256 = ${sha256}`,
  );

export type FileNameRow = Pick<FileRow, 'bucket' | 'sha256' | 'file_name'>;

/** Unsorted. Also returns files that have the bucket of one address and the hash of another. */
export const findFileNames = (db: Reader, addresses: readonly FileAddress[]) =>
  db.all(sql<FileNameRow>`
    select bucket, sha256, file_name from truth_files
    where tenant = ${db.tenant} and bucket in ${list([...new Set(addresses.map(({ bucket }) => bucket))])}
      and sha256 in ${list([...new Set(addresses.map(({ sha256 }) => sha256))])}`);

export const insertFile = (db: Writer, row: Omit<FileRow, 'created_at'>) =>
  db.run(sql`
    insert into truth_files (tenant, bucket, sha256, bytes, content_type, file_name, record_id, created_at, row_hash)
    values (${db.tenant}, ${row.bucket}, ${row.sha256}, ${row.bytes}, ${row.content_type}, ${row.file_name},
      ${row.record_id}, ${db.now}, ${rowHash.of({ ...row, created_at: db.now })})`);

export const setFileRecord = (db: Writer, { bucket, sha256 }: FileAddress, recordId: string | null) =>
  db.run(sql`
    update truth_files set record_id = ${recordId}
    where tenant = ${db.tenant} and bucket = ${bucket} and sha256 = ${sha256}`);

export const deleteFile = (db: Writer, { bucket, sha256 }: FileAddress) =>
  db.run(sql`
    delete from truth_files where tenant = ${db.tenant} and bucket = ${bucket} and sha256 = ${sha256}`);

/** After one. */
export const listFiles = (db: Reader, after: FileAddress, limit: number) =>
  db.all(sql<FileAddress>`
    select bucket, sha256 from truth_files
    where tenant = ${db.tenant} and (bucket, sha256) > (${after.bucket}, ${after.sha256})
    order by bucket, sha256 limit ${limit}`);

export interface OrphanRow extends FileAddress {
  readonly record_id: string;
}

/** Files whose record is not in the table, after one; it may be in the trash. */
export const listOrphans = (db: Reader, after: FileAddress, limit: number) =>
  db.all(sql<OrphanRow>`
    select f.bucket, f.sha256, f.record_id from truth_files f
    where f.tenant = ${db.tenant} and (f.bucket, f.sha256) > (${after.bucket}, ${after.sha256})
      and f.record_id is not null
      and not exists (select 1 from truth_records r where r.tenant = ${db.tenant} and r.record_id = f.record_id)
    order by f.bucket, f.sha256 limit ${limit}`);

/** Only for forgetting. */
export const setFileName = (db: Writer, row: FileRow) =>
  db.run(sql`
    update truth_files set file_name = ${row.file_name}, row_hash = ${rowHash.of(row)}
    where tenant = ${db.tenant} and bucket = ${row.bucket} and sha256 = ${row.sha256}`);
