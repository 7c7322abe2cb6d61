import type { Reader } from '#kernel/storage/port.ts';
import { list, sql } from '#kernel/storage/sql.ts';
import type { CorrectionRow } from '../entity-store.ts';

/** Without its body. */
export interface PayloadHead {
  readonly payload_id: string;
  readonly content_id: string;
  readonly primary_type: string;
  readonly created_at: number;
  /** JSON lists. */
  readonly source_refs: string;
  readonly file_urls: string;
}

export const findPayloads = (db: Reader, payloadIds: readonly string[]) =>
  db.all(sql<PayloadHead>`
    select payload_id, content_id, primary_type, created_at, source_refs, file_urls from truth_payloads
    where tenant = ${db.tenant} and payload_id in ${list(payloadIds)}`);

export const findPayloadsByContent = (db: Reader, contentIds: readonly string[]) =>
  db.all(sql<PayloadHead>`
    select payload_id, content_id, primary_type, created_at, source_refs, file_urls from truth_payloads
    where tenant = ${db.tenant} and content_id in ${list(contentIds)}`);

/** Without its properties. */
export interface RecordHead {
  readonly record_id: string;
  readonly type: string;
  readonly created_at: number;
  readonly file_urls: string;
}

export const findRecordHeads = (db: Reader, recordIds: readonly string[]) =>
  db.all(sql<RecordHead>`
    select record_id, type, created_at, file_urls from truth_records
    where tenant = ${db.tenant} and record_id in ${list(recordIds)}`);

export const findCorrections = (db: Reader, correctionIds: readonly string[]) =>
  db.all(sql<CorrectionRow>`
    select correction_id, entity_id, reason, created_at from truth_corrections
    where tenant = ${db.tenant} and correction_id in ${list(correctionIds)}`);
