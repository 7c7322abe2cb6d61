import { sha256Hex } from '#kernel/hash/hash.ts';
import { canonicalJson, type Json } from '#kernel/json/canonical.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import type { EntityIndexingDeps } from '../entities/search/entity-documents.ts';
import { type GivenPeriod, printPeriod } from '../observations/effective-time.ts';
import { keySeparator, observationIdOf } from '../observations/entity-name.ts';
import type { ObservationDraft, WrittenObservation } from '../observations/observation.ts';
import { createTally, payloadsTotal } from '../observations/totals.ts';
import { type SourceStatement, writeStatements, writeTotals } from '../observations/write-observations.ts';
import { type LinkDraft, type LinkSource, writeLinks } from '../relationships/derived-links.ts';
import type { SchemaDeps } from '../schemas/schemas.ts';
import { payloadTopic, submissionTopic } from '../truth-vocabulary.ts';
import { findWholeByContent, insertPayloads, type WholePayloadRow } from './payload-store.ts';
import { findAlike, insertSubmissions, type SubmissionRow } from './submission-store.ts';

/** A payload that was read and is about to be stored. It has its ids, so that a repeated transaction writes the same. */
export interface NewSubmission {
  readonly row: Omit<WholePayloadRow, 'created_at'>;
  readonly drafts: readonly ObservationDraft[];
  readonly period: GivenPeriod;
  readonly priority: number;
  /** Edges between its entities. */
  readonly links?: readonly LinkDraft[];
  readonly actor: string;
}

export interface SubmissionResult {
  readonly payloadId: string;
  readonly contentId: string;
  readonly submissionId: string;
  /** The payload is new. */
  readonly isNewPayload: boolean;
  /** Something was stated that was not stated before in the same way. */
  readonly isNewSubmission: boolean;
  readonly written: readonly WrittenObservation[];
}

type ComparedSubmission = Pick<SubmissionRow, 'extracted_at' | 'effective' | 'agent_id'>;

/** Two submissions of a payload are the same if these are equal; its content covers references and extractor. */
const identityOf = ({ extracted_at, effective, agent_id }: ComparedSubmission, body: string): string =>
  canonicalJson([JSON.parse(body) as Json, extracted_at, effective, agent_id]);

const digestChars = 24;

/** What agrees in its origin updates; what does not can contradict. */
function originOf({ source_refs, agent_id, extractor_version }: WholePayloadLike): string {
  const origin = source_refs === '[]' ? (agent_id ?? extractor_version) : source_refs;
  return sha256Hex(origin).slice(0, 12);
}
type WholePayloadLike = Pick<WholePayloadRow, 'source_refs' | 'agent_id' | 'extractor_version'>;

interface PlannedSubmission {
  readonly given: NewSubmission;
  readonly submission: Omit<SubmissionRow, 'created_at'>;
  readonly isNewPayload: boolean;
  readonly isNewSubmission: boolean;
}

const toSubmission = (
  { row, period, actor }: NewSubmission,
  payloadId: string,
  sourceKey: string,
  body: string | null,
): Omit<SubmissionRow, 'created_at'> => ({
  submission_id: row.submission_id,
  payload_id: payloadId,
  source_key: sourceKey,
  extracted_at: row.extracted_at,
  effective: printPeriod(period),
  agent_id: row.agent_id,
  extractor_version: row.extractor_version,
  client_request_id: row.client_request_id,
  actor,
  source_refs: row.source_refs,
  body,
});

/** Compares with every submission of a known payload: only one that is equal in everything adds nothing. */
function* planSubmissions(
  db: Writer,
  given: readonly NewSubmission[],
  newPayloadIds: ReadonlySet<string>,
): Work<readonly PlannedSubmission[]> {
  const known = given.filter(({ row }) => !newPayloadIds.has(row.payload_id));
  const payloads =
    known.length === 0 ? [] : yield* findWholeByContent(db, [...new Set(known.map(({ row }) => row.content_id))]);
  const payloadOf = new Map(payloads.map((row) => [row.content_id, row]));
  const alike =
    payloads.length === 0
      ? []
      : yield* findAlike(
          db,
          payloads.map(({ payload_id }) => payload_id),
          [...new Set(known.map(({ row }) => row.extracted_at))],
        );
  /** By payload and identity. Grows with the submissions of this write. */
  const seen = new Map<string, Omit<SubmissionRow, 'created_at'>>();
  const bodyOf = new Map(payloads.map(({ payload_id, body }) => [payload_id, body]));
  for (const row of alike) {
    seen.set(`${row.payload_id} ${identityOf(row, row.body ?? bodyOf.get(row.payload_id)!)}`, row);
  }
  const knownContents = new Set(known.map(({ row }) => row.content_id));
  return given.map((one): PlannedSubmission => {
    const { row } = one;
    const payload = payloadOf.get(row.content_id);
    const isNewPayload = newPayloadIds.has(row.payload_id);
    if (isNewPayload && !knownContents.has(row.content_id)) {
      const submission = toSubmission(one, row.payload_id, row.content_id, null);
      return { given: one, submission, isNewPayload, isNewSubmission: true };
    }
    const payloadId = isNewPayload ? row.payload_id : payload!.payload_id;
    const identity = identityOf({ ...row, effective: printPeriod(one.period) }, row.body);
    const place = `${payloadId} ${identity}`;
    const same = seen.get(place);
    if (same !== undefined) return { given: one, submission: same, isNewPayload: false, isNewSubmission: false };
    // The first submission keeps the ids that follow from the content alone.
    const key = isNewPayload
      ? row.content_id
      : `${row.content_id}${keySeparator}${sha256Hex(identity).slice(0, digestChars)}`;
    const isSameBody =
      isNewPayload || canonicalJson(JSON.parse(payload!.body) as Json) === canonicalJson(JSON.parse(row.body) as Json);
    const submission = toSubmission(one, payloadId, key, isSameBody ? null : row.body);
    seen.set(place, submission);
    return { given: one, submission, isNewPayload, isNewSubmission: true };
  });
}

const toStatement = ({ given, submission }: PlannedSubmission): SourceStatement => ({
  source: {
    kind: 'payload',
    id: submission.payload_id,
    key: submission.source_key,
    submissionId: submission.submission_id,
    origin: originOf(given.row),
    observedAt: submission.extracted_at,
    period: given.period,
    priority: given.priority,
  },
  drafts: given.drafts,
});

const toLinks = ({ given, submission }: PlannedSubmission): LinkSource => ({
  links: given.links ?? [],
  source: { kind: 'payload', id: submission.payload_id, submissionId: submission.submission_id },
  period: given.period,
  observedAt: submission.extracted_at,
  actor: given.actor,
});

const writtenBefore = ({ given, submission }: PlannedSubmission): readonly WrittenObservation[] =>
  given.drafts.map(({ entityId, entityType, identityRule, role, name }) => ({
    ...{ entityId, entityType, identityRule, role, name, isNew: false, matchKeys: [], similar: [], opened: [] },
    observationId: observationIdOf(entityId, submission.source_key, role),
  }));

/** Stores payloads, submissions and their observations. */
export function* writeSubmissions(
  db: Writer,
  deps: SchemaDeps & EntityIndexingDeps,
  given: readonly NewSubmission[],
): Work<readonly SubmissionResult[]> {
  const inserted = yield* insertPayloads(
    db,
    given.map(({ row }) => row),
  );
  const planned = yield* planSubmissions(db, given, new Set(inserted.map(({ payload_id }) => payload_id)));
  const added = planned.filter(({ isNewSubmission }) => isNewSubmission);
  yield* insertSubmissions(
    db,
    added.map(({ submission }) => submission),
  );
  for (const { given: one, submission, isNewPayload } of added) {
    const hash = sha256Hex(one.row.body);
    if (isNewPayload) yield* db.changed(payloadTopic, submission.payload_id, 'create', hash);
    else yield* db.changed(submissionTopic, submission.submission_id, 'create', hash);
  }
  const tally = createTally();
  tally.add(payloadsTotal, '', inserted.length);
  const written = yield* writeStatements(db, deps, added.map(toStatement), tally);
  yield* writeTotals(db, tally);
  yield* writeLinks(db, added.map(toLinks));
  const writtenBy = new Map(added.map((one, i) => [one, written[i]!]));
  return planned.map((one) => ({
    payloadId: one.submission.payload_id,
    contentId: one.given.row.content_id,
    submissionId: one.submission.submission_id,
    isNewPayload: one.isNewPayload,
    isNewSubmission: one.isNewSubmission,
    written: writtenBy.get(one) ?? writtenBefore(one),
  }));
}
