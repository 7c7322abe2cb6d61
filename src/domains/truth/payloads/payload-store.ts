import type { Reader, Writer } from '#kernel/storage/port.ts';
import { list, sql, values } from '#kernel/storage/sql.ts';

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

/** Returns those with new content. On PostgreSQL it waits for a concurrent insert of the same content. */
export const insertPayloads = (db: Writer, rows: readonly Omit<WholePayloadRow, 'created_at'>[]) =>
  db.all(sql<Pick<PayloadRow, 'payload_id'>>`
    insert into truth_payloads (tenant, payload_id, content_id, submission_id, capability_id, primary_type, entity_id,
      extracted_at, extractor_version, agent_id, client_request_id, created_at, source_refs, file_urls, body)
    values ${values(
      rows.map((row) => [
        ...[db.tenant, row.payload_id, row.content_id, row.submission_id, row.capability_id, row.primary_type],
        ...[row.entity_id, row.extracted_at, row.extractor_version, row.agent_id, row.client_request_id, db.now],
        ...[row.source_refs, row.file_urls, row.body],
      ]),
    )}
    on conflict do nothing returning payload_id`);

export const findByContent = (db: Reader, contentId: string) =>
  db.get(sql<WholePayloadRow>`
    select payload_id, content_id, submission_id, capability_id, primary_type, entity_id, extracted_at,
      extractor_version, agent_id, client_request_id, created_at, source_refs, file_urls, body
    from truth_payloads where tenant = ${db.tenant} and content_id = ${contentId}`);

/** Unsorted. */
export const findPayloads = (db: Reader, payloadIds: readonly string[]) =>
  db.all(sql<PayloadRow>`
    select payload_id, content_id, submission_id, capability_id, primary_type, entity_id, extracted_at,
      extractor_version, agent_id, client_request_id, created_at, source_refs, file_urls
    from truth_payloads where tenant = ${db.tenant} and payload_id in ${list(payloadIds)}`);

/** Unsorted. */
export const findPayloadsByContent = (db: Reader, contentIds: readonly string[]) =>
  db.all(sql<PayloadRow>`
    select payload_id, content_id, submission_id, capability_id, primary_type, entity_id, extracted_at,
      extractor_version, agent_id, client_request_id, created_at, source_refs, file_urls
    from truth_payloads where tenant = ${db.tenant} and content_id in ${list(contentIds)}`);

export const findPayload = (db: Reader, payloadId: string) =>
  db.get(sql<PayloadRow>`
    select payload_id, content_id, submission_id, capability_id, primary_type, entity_id, extracted_at,
      extractor_version, agent_id, client_request_id, created_at, source_refs, file_urls
    from truth_payloads where tenant = ${db.tenant} and payload_id = ${payloadId}`);

export const findWholePayload = (db: Reader, payloadId: string) =>
  db.get(sql<WholePayloadRow>`
    select payload_id, content_id, submission_id, capability_id, primary_type, entity_id, extracted_at,
      extractor_version, agent_id, client_request_id, created_at, source_refs, file_urls, body
    from truth_payloads where tenant = ${db.tenant} and payload_id = ${payloadId}`);

export type PayloadReferencesRow = Pick<PayloadRow, 'payload_id' | 'file_urls' | 'source_refs'>;

/** Payloads that reference files or other sources, after one. */
export const listPayloadReferences = (db: Reader, after: string, limit: number) =>
  db.all(sql<PayloadReferencesRow>`
    select payload_id, file_urls, source_refs from truth_payloads
    where tenant = ${db.tenant} and payload_id > ${after} and (file_urls <> '[]' or source_refs <> '[]')
    order by payload_id limit ${limit}`);
