import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { damaged, defineRowHash, type Hashed, type HashedTable, hashRow } from '#kernel/storage/row-hash.ts';
import { allOf, list, type Sql, sql, values } from '#kernel/storage/sql.ts';
import { embeddingKeyRange } from './rules/properties.ts';

export interface RecordRow {
  readonly record_id: string;
  readonly type: string;
  readonly created_at: number;
  readonly updated_at: number;
  /** JSON texts: a list and an object. */
  readonly file_urls: string;
  readonly properties: string;
}

export interface StoredRecordRow extends RecordRow {
  readonly embedding: Uint8Array | null;
}

const nameOf = ({ record_id }: RecordKey): string => `record ${record_id}`;

const rowHash = defineRowHash<RecordRow>(
  {
    table: 'truth_records',
    columns: ['record_id', 'type', 'created_at', 'updated_at', 'file_urls', 'properties'],
  },
  nameOf,
);

const embeddingTable: HashedTable = {
  ...{ table: 'truth_records', hash: 'embedding_hash', columns: ['record_id', 'embedding'], blobs: ['embedding'] },
};

type RecordEmbedding = Pick<StoredRecordRow, 'record_id' | 'embedding'>;
interface HashedEmbedding {
  readonly embedding_hash: string | null;
}

const embeddingHash = ({ record_id, embedding }: RecordEmbedding): string =>
  hashRow(embeddingTable, { record_id, embedding });

const isEmbeddingIntact = (row: RecordEmbedding & HashedEmbedding): boolean =>
  row.embedding_hash === embeddingHash(row);

function checkStored(row: StoredRecordRow & Hashed & HashedEmbedding): StoredRecordRow {
  rowHash.check(row);
  if (!isEmbeddingIntact(row)) throw damaged(embeddingTable.table, nameOf(row));
  const { row_hash: _row, embedding_hash: _embedding, ...record } = row;
  return record;
}

/** Serialises changes of one record. */
export const lockRecord = (db: Writer, id: string) => db.lock(`record:${id}`);

export function* findRecord(db: Reader, id: string): Work<StoredRecordRow | undefined> {
  const row = yield* db.get(sql<StoredRecordRow & Hashed & HashedEmbedding>`
    select record_id, type, created_at, updated_at, file_urls, embedding, properties, row_hash, embedding_hash
    from truth_records where tenant = ${db.tenant} and record_id = ${id}`);
  return row === undefined ? undefined : checkStored(row);
}

export const insertRecord = (db: Writer, row: StoredRecordRow) =>
  db.run(sql`
    insert into truth_records (tenant, record_id, type, created_at, updated_at, file_urls, embedding, properties,
      row_hash, embedding_hash)
    values (${db.tenant}, ${row.record_id}, ${row.type}, ${row.created_at}, ${row.updated_at}, ${row.file_urls},
      ${row.embedding}, ${row.properties}, ${rowHash.of(row)}, ${embeddingHash(row)})`);

export const updateRecord = (db: Writer, row: StoredRecordRow) =>
  db.run(sql`
    update truth_records set type = ${row.type}, updated_at = ${row.updated_at}, file_urls = ${row.file_urls},
      embedding = ${row.embedding}, properties = ${row.properties}, row_hash = ${rowHash.of(row)},
      embedding_hash = ${embeddingHash(row)}
    where tenant = ${db.tenant} and record_id = ${row.record_id}`);

export const deleteRecord = (db: Writer, id: string) =>
  db.run(sql`delete from truth_records where tenant = ${db.tenant} and record_id = ${id}`);

export const insertProperties = (db: Writer, id: string, properties: readonly string[]) =>
  db.run(sql`
    insert into truth_record_properties (tenant, property, record_id)
    values ${values(properties.map((property) => [db.tenant, property, id]))}
    on conflict do nothing`);

export const deleteProperties = (db: Writer, id: string, properties: readonly string[]) =>
  db.run(sql`
    delete from truth_record_properties
    where tenant = ${db.tenant} and property in ${list(properties)} and record_id = ${id}`);

/** The total of all records has an empty key, others have the type. */
const totalsKind = 'records';

/** Callers add in key order, which avoids deadlocks. */
export const addToTotal = (db: Writer, key: string, count: number) =>
  db.run(sql`
    insert into truth_totals (tenant, kind, key, count) values (${db.tenant}, ${totalsKind}, ${key}, ${count})
    on conflict (tenant, kind, key) do update set count = truth_totals.count + excluded.count`);

export const setTotal = (db: Writer, key: string, count: number) =>
  db.run(sql`
    insert into truth_totals (tenant, kind, key, count) values (${db.tenant}, ${totalsKind}, ${key}, ${count})
    on conflict (tenant, kind, key) do update set count = excluded.count`);

export const deleteTotals = (db: Writer) =>
  db.run(sql`delete from truth_totals where tenant = ${db.tenant} and kind = ${totalsKind}`);

export const findTotal = (db: Reader, key: string) =>
  db.get(sql<{ readonly count: number }>`
    select count from truth_totals where tenant = ${db.tenant} and kind = ${totalsKind} and key = ${key}`);

export const countTypes = (db: Reader) =>
  db.all(sql<{ readonly type: string; readonly n: number }>`
    select type, count(*) as n from truth_records where tenant = ${db.tenant} group by type`);

export interface RecordKey {
  readonly record_id: string;
}

export interface RecordAge extends RecordKey {
  readonly created_at: number;
}

/** A page of a list, newest first: from an offset, or after the last record of the previous page. */
export interface RecordPage {
  readonly limit: number;
  readonly offset: number;
  readonly after: RecordAge | undefined;
}

const isAfter = ({ after }: RecordPage): Sql =>
  after === undefined
    ? sql`1 = 1`
    : sql`r.created_at <= ${after.created_at} and (r.created_at < ${after.created_at} or r.record_id > ${after.record_id})`;

const pageOf = (page: RecordPage): Sql =>
  sql`order by r.created_at desc, r.record_id limit ${page.limit} offset ${page.after === undefined ? page.offset : 0}`;

export const listNewest = (db: Reader, page: RecordPage) =>
  db.all(sql<RecordAge>`
    select r.record_id, r.created_at from truth_records r where r.tenant = ${db.tenant} and ${isAfter(page)}
    ${pageOf(page)}`);

export const listNewestOfType = (db: Reader, type: string, page: RecordPage) =>
  db.all(sql<RecordAge>`
    select r.record_id, r.created_at from truth_records r
    where r.tenant = ${db.tenant} and r.type = ${type} and ${isAfter(page)}
    ${pageOf(page)}`);

/** Up to `countMax`. */
export const countProperty = (db: Reader, property: string, countMax: number) =>
  db.get(sql<{ readonly n: number }>`
    select count(*) as n from (
      select 1 from truth_record_properties where tenant = ${db.tenant} and property = ${property} limit ${countMax}
    ) some_rows`);

/** Records with all of these properties; `rarest` is the one that the fewest have. */
export interface PropertyFilter {
  readonly rarest: string;
  readonly others: readonly string[];
  readonly type: string | undefined;
}

const hasProperty = (db: Reader, property: string, recordId: Sql): Sql =>
  sql`exists (select 1 from truth_record_properties o
    where o.tenant = ${db.tenant} and o.property = ${property} and o.record_id = ${recordId})`;

const isOfType = (type: string | undefined): readonly Sql[] => (type === undefined ? [] : [sql`r.type = ${type}`]);

/** Starts with the rarest property. `cross join` keeps SQLite from starting with the other table. */
const fromRarest = (db: Reader, { rarest, others, type }: PropertyFilter): Sql =>
  sql`from truth_record_properties p cross join truth_records r
    where p.tenant = ${db.tenant} and p.property = ${rarest} and r.tenant = ${db.tenant} and r.record_id = p.record_id
      and ${allOf([...isOfType(type), ...others.map((other) => hasProperty(db, other, sql`p.record_id`))])}`;

export const listByRareProperty = (db: Reader, filter: PropertyFilter, page: RecordPage) =>
  db.all(sql<RecordAge>`
    select r.record_id, r.created_at ${fromRarest(db, filter)} and ${isAfter(page)}
    ${pageOf(page)}`);

/** If most records have the property, scanning the newest records finds a page quickly. */
export const listByCommonProperty = (db: Reader, { rarest, others, type }: PropertyFilter, page: RecordPage) =>
  db.all(sql<RecordAge>`
    select r.record_id, r.created_at from truth_records r
    where r.tenant = ${db.tenant} and ${isAfter(page)}
      and ${allOf([...isOfType(type), ...[rarest, ...others].map((one) => hasProperty(db, one, sql`r.record_id`))])}
    ${pageOf(page)}`);

/** Without a type the records table is not needed. */
const fromProperties = (db: Reader, { rarest, others }: PropertyFilter): Sql =>
  sql`from truth_record_properties p
    where p.tenant = ${db.tenant} and p.property = ${rarest}
      and ${allOf(others.map((other) => hasProperty(db, other, sql`p.record_id`)))}`;

export const countFiltered = (db: Reader, filter: PropertyFilter, countMax: number) =>
  db.get(sql<{ readonly n: number }>`
    select count(*) as n from (
      select 1 ${(filter.type === undefined ? fromProperties : fromRarest)(db, filter)} limit ${countMax}
    ) some_rows`);

export const keepWithProperty = (db: Reader, property: string, ids: readonly string[]) =>
  db.all(sql<RecordKey>`
    select record_id from truth_record_properties
    where tenant = ${db.tenant} and property = ${property} and record_id in ${list(ids)}`);

/** The existing ones, with their types. */
export const findTypes = (db: Reader, ids: readonly string[]) =>
  db.all(sql<RecordKey & { readonly type: string }>`
    select record_id, type from truth_records where tenant = ${db.tenant} and record_id in ${list(ids)}`);

/** The size of each record in an answer, without reading it. */
export const measureRecords = (db: Reader, ids: readonly string[]) =>
  db.all(sql<RecordKey & { readonly bytes: number }>`
    select record_id, octet_length(properties) + octet_length(file_urls) as bytes from truth_records
    where tenant = ${db.tenant} and record_id in ${list(ids)}`);

export const findRecords = (db: Reader, ids: readonly string[]) =>
  rowHash.all(
    db,
    sql<RecordRow & Hashed>`
    select record_id, type, created_at, updated_at, file_urls, properties, row_hash from truth_records
    where tenant = ${db.tenant} and record_id in ${list(ids)}`,
  );

/** Entities of which a file states something. One may occur twice. Another condition would scan the whole table. */
export const listEntitiesOfFile = (db: Reader, id: string) =>
  db.all(sql<{ readonly entity_id: string }>`
    select entity_id from truth_observations where tenant = ${db.tenant} and source_id = ${id}`);

/** Without damaged ones: a search leaves them out. */
export function* findIntactRecords(db: Reader, ids: readonly string[]): Work<readonly RecordRow[]> {
  const rows = yield* db.all(sql<RecordRow & Hashed>`
    select record_id, type, created_at, updated_at, file_urls, properties, row_hash from truth_records
    where tenant = ${db.tenant} and record_id in ${list(ids)}`);
  return rows.filter(rowHash.isIntact);
}

/** Without the properties, which may be long. */
export type RecordHead = Pick<RecordRow, 'record_id' | 'type' | 'created_at' | 'file_urls'>;

export const findRecordHeads = (db: Reader, ids: readonly string[]) =>
  db.all(sql<RecordHead>`
    select record_id, type, created_at, file_urls from truth_records
    where tenant = ${db.tenant} and record_id in ${list(ids)}`);

/** Without damaged ones: a search leaves them out. */
export function* findEmbeddings(db: Reader, ids: readonly string[]): Work<readonly RecordEmbedding[]> {
  const rows = yield* db.all(sql<RecordEmbedding & HashedEmbedding>`
    select record_id, embedding, embedding_hash from truth_records
    where tenant = ${db.tenant} and record_id in ${list(ids)}`);
  return rows.filter(isEmbeddingIntact);
}

/** A key with the size of any stored embedding. */
export const findEmbeddingKey = (db: Reader) =>
  db.get(sql<{ readonly property: string }>`
    select property from truth_record_properties
    where tenant = ${db.tenant} and property >= ${embeddingKeyRange.from} and property < ${embeddingKeyRange.before}
    limit 1`);

export const listIds = (db: Reader, after: string, limit: number) =>
  db.all(sql<RecordKey>`
    select record_id from truth_records where tenant = ${db.tenant} and record_id > ${after}
    order by record_id limit ${limit}`);

export function* findStoredRecords(db: Reader, ids: readonly string[]): Work<readonly StoredRecordRow[]> {
  const rows = yield* db.all(sql<StoredRecordRow & Hashed & HashedEmbedding>`
    select record_id, type, created_at, updated_at, file_urls, embedding, properties, row_hash, embedding_hash
    from truth_records where tenant = ${db.tenant} and record_id in ${list(ids)}`);
  return rows.map(checkStored);
}

export interface PropertyRow extends RecordKey {
  readonly property: string;
}

/** In primary-key order, after one. */
export const listProperties = (db: Reader, after: PropertyRow, limit: number) =>
  db.all(sql<PropertyRow>`
    select property, record_id from truth_record_properties
    where tenant = ${db.tenant} and (property, record_id) > (${after.property}, ${after.record_id})
    order by property, record_id limit ${limit}`);

export const countProperties = (db: Reader) =>
  db.get(sql<{ readonly n: number }>`
    select count(*) as n from truth_record_properties where tenant = ${db.tenant}`);

export interface RecordFilesRow extends RecordKey {
  readonly file_urls: string;
}

/** Records that reference files, after one. */
export const listRecordFiles = (db: Reader, after: string, limit: number) =>
  db.all(sql<RecordFilesRow>`
    select record_id, file_urls from truth_records
    where tenant = ${db.tenant} and record_id > ${after} and file_urls <> '[]' order by record_id limit ${limit}`);
