import type { Reader, Writer } from '#kernel/storage/port.ts';
import { defineRowHash, type Hashed } from '#kernel/storage/row-hash.ts';
import { list, sql, values } from '#kernel/storage/sql.ts';

/** One act of submitting a payload. The first one is part of the payload row as well. */
export interface SubmissionRow {
  readonly submission_id: string;
  readonly payload_id: string;
  /** Observation ids are made from it: the content id for the first submission. */
  readonly source_key: string;
  readonly extracted_at: number;
  /** JSON of the stated times, `{}` if there are none. */
  readonly effective: string;
  readonly agent_id: string | null;
  readonly extractor_version: string;
  readonly client_request_id: string | null;
  readonly actor: string;
  /** JSON list. */
  readonly source_refs: string;
  readonly created_at: number;
  /** JSON as it was sent; null: that of the payload. */
  readonly body: string | null;
}

type StoredSubmission = SubmissionRow & Hashed;

const rowHash = defineRowHash<SubmissionRow>(
  {
    table: 'truth_submissions',
    columns: [
      ...['submission_id', 'payload_id', 'source_key', 'extracted_at', 'effective', 'agent_id', 'extractor_version'],
      ...['client_request_id', 'actor', 'source_refs', 'created_at', 'body'],
    ],
  },
  ({ submission_id }) => `submission ${submission_id}`,
);

const columns = sql`submission_id, payload_id, source_key, extracted_at, effective, agent_id, extractor_version,
  client_request_id, actor, source_refs, created_at, body, row_hash`;

export const insertSubmissions = (db: Writer, rows: readonly Omit<SubmissionRow, 'created_at'>[]) =>
  db.run(sql`
    insert into truth_submissions (tenant, submission_id, payload_id, source_key, extracted_at, effective, agent_id,
      extractor_version, client_request_id, actor, source_refs, created_at, body, row_hash)
    values ${values(
      rows.map((row) => [
        ...[db.tenant, row.submission_id, row.payload_id, row.source_key, row.extracted_at, row.effective],
        ...[row.agent_id, row.extractor_version, row.client_request_id, row.actor, row.source_refs, db.now, row.body],
        rowHash.of({ ...row, created_at: db.now }),
      ]),
    )}`);

/** Unsorted. */
export const findSubmissions = (db: Reader, submissionIds: readonly string[]) =>
  rowHash.all(
    db,
    sql<StoredSubmission>`
    select ${columns} from truth_submissions
    where tenant = ${db.tenant} and submission_id in ${list(submissionIds)}`,
  );

/** Those that may equal a new one: of these payloads, with one of these times. Unsorted. */
export const findAlike = (db: Reader, payloadIds: readonly string[], extractedAts: readonly number[]) =>
  rowHash.all(
    db,
    sql<StoredSubmission>`
    select ${columns} from truth_submissions
    where tenant = ${db.tenant} and payload_id in ${list(payloadIds)} and extracted_at in ${list(extractedAts)}`,
  );

export interface RetractionRow {
  /** Of a submission or a correction. */
  readonly target_id: string;
  readonly reason: string | null;
  readonly actor: string;
  readonly created_at: number;
}

const retractionHash = defineRowHash<RetractionRow>(
  { table: 'truth_retractions', columns: ['target_id', 'reason', 'actor', 'created_at'] },
  ({ target_id }) => `the retraction of ${target_id}`,
);

/** Unsorted. */
export const findRetractions = (db: Reader, targetIds: readonly string[]) =>
  retractionHash.all(
    db,
    sql<RetractionRow & Hashed>`
    select target_id, reason, actor, created_at, row_hash from truth_retractions
    where tenant = ${db.tenant} and target_id in ${list(targetIds)}`,
  );

export const insertRetraction = (db: Writer, row: Omit<RetractionRow, 'created_at'>) =>
  db.run(sql`
    insert into truth_retractions (tenant, target_id, reason, actor, created_at, row_hash)
    values (${db.tenant}, ${row.target_id}, ${row.reason}, ${row.actor}, ${db.now},
      ${retractionHash.of({ ...row, created_at: db.now })})`);

/** Without the body, which may be long. */
export type SubmissionHead = Omit<SubmissionRow, 'body'> & { readonly has_body: number };

/** Oldest first. */
export const listSubmissionHeads = (db: Reader, payloadId: string, limit: number) =>
  db.all(sql<SubmissionHead>`
    select submission_id, payload_id, source_key, extracted_at, effective, agent_id, extractor_version,
      client_request_id, actor, source_refs, created_at, case when body is null then 0 else 1 end as has_body
    from truth_submissions where tenant = ${db.tenant} and payload_id = ${payloadId}
    order by created_at, submission_id limit ${limit}`);

export const countSubmissions = (db: Reader, payloadId: string, limit: number) =>
  db.get(sql<{ readonly count: number }>`
    select count(*) as count from (
      select 1 from truth_submissions where tenant = ${db.tenant} and payload_id = ${payloadId} limit ${limit}) counted`);

/** Only for forgetting: a submission never changes otherwise. */
export const setSubmissionContent = (db: Writer, rows: readonly SubmissionRow[]) =>
  db.run(sql`
    with given (submission_id, source_refs, body, row_hash) as (
      values ${values(rows.map((row) => [row.submission_id, row.source_refs, row.body, rowHash.of(row)]))})
    update truth_submissions set source_refs = given.source_refs, body = given.body, row_hash = given.row_hash
    from given where truth_submissions.tenant = ${db.tenant}
      and truth_submissions.submission_id = given.submission_id`);

/** Unsorted. Without a check: what is damaged is forgotten too. */
export const findUncheckedSubmissions = (db: Reader, payloadIds: readonly string[]) =>
  db.all(sql<SubmissionRow>`
    select ${columns} from truth_submissions where tenant = ${db.tenant} and payload_id in ${list(payloadIds)}`);

/** Only for forgetting. */
export const setRetractionReason = (db: Writer, row: RetractionRow) =>
  db.run(sql`
    update truth_retractions set reason = ${row.reason}, row_hash = ${retractionHash.of(row)}
    where tenant = ${db.tenant} and target_id = ${row.target_id}`);
