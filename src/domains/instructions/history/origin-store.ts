import type { Reader, Writer } from '#kernel/storage/port.ts';
import { defineRowHash, type Hashed } from '#kernel/storage/row-hash.ts';
import { list, sql, values } from '#kernel/storage/sql.ts';

/** What is known about a version that was found on disk. */
export interface OriginRow {
  readonly id: string;
  readonly number: number;
  /** Of a deleted entry, by which the same body under another id is recognised as a rename. */
  readonly body_hash: string | null;
  readonly renamed_from: string | null;
  readonly renamed_to: string | null;
  /** Of the commit that contains exactly this file. */
  readonly git_author: string | null;
}

export const noOrigin = { body_hash: null, renamed_from: null, renamed_to: null, git_author: null } as const;

const originHash = defineRowHash<OriginRow>(
  { table: 'instruction_origins', columns: ['id', 'number', 'body_hash', 'renamed_from', 'renamed_to', 'git_author'] },
  ({ id, number }) => `the origin of version ${number} of instruction ${id}`,
);

const columns = sql`id, number, body_hash, renamed_from, renamed_to, git_author, row_hash`;

/** Each version once. */
export const putOrigins = (db: Writer, rows: readonly OriginRow[]) =>
  db.run(sql`
    insert into instruction_origins (tenant, ${columns}) values ${values(
      rows.map((row) => [
        ...[db.tenant, row.id, row.number, row.body_hash, row.renamed_from, row.renamed_to, row.git_author],
        originHash.of(row),
      ]),
    )}
    on conflict (tenant, id, number) do update set
      body_hash = excluded.body_hash, renamed_from = excluded.renamed_from, renamed_to = excluded.renamed_to,
      git_author = excluded.git_author, row_hash = excluded.row_hash`);

export const listOrigins = (db: Reader, id: string, numbers: readonly number[]) =>
  originHash.all(
    db,
    sql<OriginRow & Hashed>`
    select ${columns} from instruction_origins
    where tenant = ${db.tenant} and id = ${id} and number in ${list(numbers)}`,
  );

/** Deleted entries with one of these bodies that are still deleted and were not renamed. */
export const listDeletedWithBody = (db: Reader, hashes: readonly string[], limit: number) =>
  originHash.all(
    db,
    sql<OriginRow & Hashed>`
    select ${columns} from instruction_origins o
    where tenant = ${db.tenant} and body_hash in ${list(hashes)} and renamed_to is null and not exists (
      select 1 from instruction_versions v where v.tenant = o.tenant and v.id = o.id and v.number > o.number)
    order by id limit ${limit}`,
  );

/** The last rename of an entry to this id. */
export const findRenameTo = (db: Reader, id: string) =>
  originHash.get(
    db,
    sql<OriginRow & Hashed>`
    select ${columns} from instruction_origins
    where tenant = ${db.tenant} and id = ${id} and renamed_from is not null order by number desc limit 1`,
  );
