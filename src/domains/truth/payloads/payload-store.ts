import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { damaged, defineRowHash, type Hashed, type HashedTable, hashRow } from '#kernel/storage/row-hash.ts';
import { list, type Sql, sql, values } from '#kernel/storage/sql.ts';

/** Without the body, which may be long. */
export interface PayloadRow {
  readonly payload_id: string;
  readonly content_id: string;
  readonly submission_id: string;
  readonly capability_id: string;
  readonly primary_type: string;
  /** Of the payload's own entity. */
  readonly entity_id: string;
  readonly extracted_at: number;
  readonly extractor_version: string;
  readonly agent_id: string | null;
  readonly client_request_id: string | null;
  readonly created_at: number;
  /** JSON lists. */
  readonly source_refs: string;
  readonly file_urls: string;
}

/** `body` is JSON as it was sent. */
export interface WholePayloadRow extends PayloadRow {
  readonly body: string;
}

const nameOf = ({ payload_id }: Pick<PayloadRow, 'payload_id'>): string => `payload ${payload_id}`;

const rowHash = defineRowHash<PayloadRow>(
  {
    table: 'truth_payloads',
    columns: [
      ...['payload_id', 'content_id', 'submission_id', 'capability_id', 'primary_type', 'entity_id', 'extracted_at'],
      ...['extractor_version', 'agent_id', 'client_request_id', 'created_at', 'source_refs', 'file_urls'],
    ],
  },
  nameOf,
);

const bodyTable: HashedTable = { table: 'truth_payloads', hash: 'body_hash', columns: ['payload_id', 'body'] };

const bodyHash = ({ payload_id, body }: Pick<WholePayloadRow, 'payload_id' | 'body'>): string =>
  hashRow(bodyTable, { payload_id, body });

type StoredPayload = PayloadRow & Hashed;
type WholePayload = WholePayloadRow & Hashed & { readonly body_hash: string | null };

function* getWhole(db: Reader, query: Sql<WholePayload>): Work<WholePayloadRow | undefined> {
  const row = yield* rowHash.get(db, query);
  if (row !== undefined && row.body_hash !== bodyHash(row)) throw damaged(bodyTable.table, nameOf(row));
  return row;
}

/** Returns those with new content. On PostgreSQL it waits for a concurrent insert of the same content. */
export const insertPayloads = (db: Writer, rows: readonly Omit<WholePayloadRow, 'created_at'>[]) =>
  db.all(sql<Pick<PayloadRow, 'payload_id'>>`
    insert into truth_payloads (tenant, payload_id, content_id, submission_id, capability_id, primary_type, entity_id,
      extracted_at, extractor_version, agent_id, client_request_id, created_at, source_refs, file_urls, body,
      row_hash, body_hash)
    values ${values(
      rows.map((row) => [
        ...[db.tenant, row.payload_id, row.content_id, row.submission_id, row.capability_id, row.primary_type],
        ...[row.entity_id, row.extracted_at, row.extractor_version, row.agent_id, row.client_request_id, db.now],
        ...[row.source_refs, row.file_urls, row.body, rowHash.of({ ...row, created_at: db.now }), bodyHash(row)],
      ]),
    )}
    on conflict do nothing returning payload_id`);

/** Unsorted. */
export function* findWholeByContent(db: Reader, contentIds: readonly string[]): Work<readonly WholePayloadRow[]> {
  const rows = yield* rowHash.all(
    db,
    sql<WholePayload>`
    select payload_id, content_id, submission_id, capability_id, primary_type, entity_id, extracted_at,
      extractor_version, agent_id, client_request_id, created_at, source_refs, file_urls, body, row_hash,
      body_hash
    from truth_payloads where tenant = ${db.tenant} and content_id in ${list(contentIds)}`,
  );
  for (const row of rows) if (row.body_hash !== bodyHash(row)) throw damaged(bodyTable.table, nameOf(row));
  return rows;
}

/** Unsorted. */
export const findPayloads = (db: Reader, payloadIds: readonly string[]) =>
  rowHash.all(
    db,
    sql<StoredPayload>`
    select payload_id, content_id, submission_id, capability_id, primary_type, entity_id, extracted_at,
      extractor_version, agent_id, client_request_id, created_at, source_refs, file_urls, row_hash
    from truth_payloads where tenant = ${db.tenant} and payload_id in ${list(payloadIds)}`,
  );

/** Unsorted. */
export const findPayloadsByContent = (db: Reader, contentIds: readonly string[]) =>
  rowHash.all(
    db,
    sql<StoredPayload>`
    select payload_id, content_id, submission_id, capability_id, primary_type, entity_id, extracted_at,
      extractor_version, agent_id, client_request_id, created_at, source_refs, file_urls, row_hash
    from truth_payloads where tenant = ${db.tenant} and content_id in ${list(contentIds)}`,
  );

export const findPayload = (db: Reader, payloadId: string) =>
  rowHash.get(
    db,
    sql<StoredPayload>`
    select payload_id, content_id, submission_id, capability_id, primary_type, entity_id, extracted_at,
      extractor_version, agent_id, client_request_id, created_at, source_refs, file_urls, row_hash
    from truth_payloads where tenant = ${db.tenant} and payload_id = ${payloadId}`,
  );

export const findWholePayload = (db: Reader, payloadId: string) =>
  getWhole(
    db,
    sql<WholePayload>`
    select payload_id, content_id, submission_id, capability_id, primary_type, entity_id, extracted_at,
      extractor_version, agent_id, client_request_id, created_at, source_refs, file_urls, body, row_hash,
      body_hash
    from truth_payloads where tenant = ${db.tenant} and payload_id = ${payloadId}`,
  );

export type PayloadReferencesRow = Pick<PayloadRow, 'payload_id' | 'file_urls' | 'source_refs'>;

/** Payloads that reference files or other sources, after one. */
export const listPayloadReferences = (db: Reader, after: string, limit: number) =>
  db.all(sql<PayloadReferencesRow>`
    select payload_id, file_urls, source_refs from truth_payloads
    where tenant = ${db.tenant} and payload_id > ${after} and (file_urls <> '[]' or source_refs <> '[]')
    order by payload_id limit ${limit}`);

/** Only for forgetting: a payload never changes otherwise. */
export const setPayloadContent = (db: Writer, rows: readonly WholePayloadRow[]) =>
  db.run(sql`
    with given (payload_id, source_refs, file_urls, body, row_hash, body_hash) as (
      values ${values(
        rows.map((row) => [row.payload_id, row.source_refs, row.file_urls, row.body, rowHash.of(row), bodyHash(row)]),
      )})
    update truth_payloads set source_refs = given.source_refs, file_urls = given.file_urls, body = given.body,
      row_hash = given.row_hash, body_hash = given.body_hash
    from given where truth_payloads.tenant = ${db.tenant} and truth_payloads.payload_id = given.payload_id`);

/** Unsorted. Without a check: what is damaged is forgotten too. */
export const findUncheckedPayloads = (db: Reader, payloadIds: readonly string[]) =>
  db.all(sql<WholePayloadRow>`
    select payload_id, content_id, submission_id, capability_id, primary_type, entity_id, extracted_at,
      extractor_version, agent_id, client_request_id, created_at, source_refs, file_urls, body
    from truth_payloads where tenant = ${db.tenant} and payload_id in ${list(payloadIds)}`);
