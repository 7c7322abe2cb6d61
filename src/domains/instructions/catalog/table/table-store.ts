import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { damaged } from '#kernel/storage/row-hash.ts';
import { list, sql } from '#kernel/storage/sql.ts';
import { etagOf } from '../entry-json.ts';

export interface InstructionRow {
  readonly id: string;
  readonly document: string;
  readonly etag: string;
  readonly at: number;
}

/** The etag is the hash of the document. */
export const isIntact = ({ document, etag }: Pick<InstructionRow, 'document' | 'etag'>): boolean =>
  etagOf(document) === etag;

export function expectIntact(id: string, row: Pick<InstructionRow, 'document' | 'etag'>): void {
  if (!isIntact(row)) throw damaged('instructions', `instruction ${id}`);
}

export const listRowsAfter = (db: Reader, id: string, limit: number) =>
  db.all(sql<InstructionRow>`
    select id, document, etag, at from instructions where tenant = ${db.tenant} and id > ${id} order by id limit ${limit}`);

export const listRowsOf = (db: Reader, ids: readonly string[]) =>
  db.all(sql<InstructionRow>`
    select id, document, etag, at from instructions where tenant = ${db.tenant} and id in ${list(ids)}`);

export const findEtag = (db: Reader, id: string) =>
  db.get(sql<{ readonly etag: string }>`
    select etag from instructions where tenant = ${db.tenant} and id = ${id}`);

/** The following change one row, or none when the entry has another etag. */
export const insertRow = (db: Writer, id: string, document: string, etag: string) =>
  db.run(sql`
    insert into instructions (tenant, id, document, etag, at)
    values (${db.tenant}, ${id}, ${document}, ${etag}, ${db.now})
    on conflict (tenant, id) do nothing`);

export const updateRow = (db: Writer, id: string, before: string, document: string, etag: string) =>
  db.run(sql`
    update instructions set document = ${document}, etag = ${etag}, at = ${db.now}
    where tenant = ${db.tenant} and id = ${id} and etag = ${before}`);

/** A damaged entry is rejected: its copy in the trash would count as intact. */
export function* deleteRow(db: Writer, id: string, before: string): Work<string | undefined> {
  const row = yield* db.get(sql<Pick<InstructionRow, 'document' | 'etag'>>`
    delete from instructions where tenant = ${db.tenant} and id = ${id} and etag = ${before} returning document, etag`);
  if (row !== undefined) expectIntact(id, row);
  return row?.document;
}

export const listSizes = (db: Reader, id: string, limit: number) =>
  db.all(sql<{ readonly id: string; readonly bytes: number; readonly at: number }>`
    select id, octet_length(document) as bytes, at from instructions
    where tenant = ${db.tenant} and id > ${id} order by id limit ${limit}`);
