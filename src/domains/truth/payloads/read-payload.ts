import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { type Answer, anyFields } from '../entities/entity-model.ts';
import { toIso } from '../iso-time.ts';
import type { TruthDeps } from '../truth-deps.ts';
import { truthLimits } from '../truth-limits.ts';
import { findWholeByContent, findWholePayload, type WholePayloadRow } from './payload-store.ts';
import {
  countSubmissions,
  findRetractions,
  findSubmissions,
  listSubmissionHeads,
  type RetractionRow,
  type SubmissionHead,
  type SubmissionRow,
} from './submission-store.ts';

const id = z.string().min(1).max(truthLimits.payloadIdChars).optional();

export const payloadInput = z
  .strictObject({ payload_id: id, payload_content_id: id, submission_id: id })
  .refine((given) => Object.values(given).filter((one) => one !== undefined).length === 1, {
    error: 'must have exactly one of payload_id, payload_content_id and submission_id',
  });
export type PayloadInput = z.infer<typeof payloadInput>;

const provenance = z.object({
  source_refs: z.array(z.string()),
  extracted_at: z.string(),
  extractor_version: z.string(),
  agent_id: z.string().optional(),
});

const submission = provenance.extend({
  submission_id: z.string(),
  effective_at: z.string().optional(),
  effective_until: z.string().optional(),
  client_request_id: z.string().optional(),
  submitted_by: z.string().optional().describe('The actor of the call'),
  created_at: z.string(),
  has_own_body: z.literal(true).optional().describe('Differs from the first; get it with submission_id'),
  retracted_at: z.string().optional(),
  retraction_reason: z.string().optional(),
});

export const payloadAnswer = z.object({
  payload_id: z.string(),
  payload_content_id: z.string(),
  submission_id: z.string().describe('Whose body and provenance these are'),
  capability_id: z.string(),
  entity_id: z.string(),
  entity_type: z.string(),
  body: anyFields,
  provenance,
  created_at: z.string(),
  submissions: z.array(submission),
  submissions_total: z.int(),
});
export type PayloadAnswer = Answer<typeof payloadAnswer>;

type ProvenanceRow = Pick<SubmissionRow, 'source_refs' | 'extracted_at' | 'extractor_version' | 'agent_id'>;

const toProvenance = (row: ProvenanceRow) => ({
  source_refs: JSON.parse(row.source_refs) as readonly string[],
  extracted_at: toIso(row.extracted_at),
  extractor_version: row.extractor_version,
  ...(row.agent_id === null ? {} : { agent_id: row.agent_id }),
});

function toSubmission(row: SubmissionHead, retraction: RetractionRow | undefined) {
  const effective = JSON.parse(row.effective) as { readonly at?: string; readonly until?: string };
  return {
    submission_id: row.submission_id,
    ...toProvenance(row),
    ...(effective.at === undefined ? {} : { effective_at: effective.at }),
    ...(effective.until === undefined ? {} : { effective_until: effective.until }),
    ...(row.client_request_id === null ? {} : { client_request_id: row.client_request_id }),
    // Submissions from before this was recorded have none.
    ...(row.actor === '' ? {} : { submitted_by: row.actor }),
    created_at: toIso(row.created_at),
    ...(row.has_body === 0 ? {} : ({ has_own_body: true } as const)),
    ...(retraction === undefined ? {} : { retracted_at: toIso(retraction.created_at) }),
    ...(retraction?.reason == null ? {} : { retraction_reason: retraction.reason }),
  };
}

const notFound = (details: object) =>
  faults.NOT_FOUND(
    { what: 'payload. list_observations and get_field_provenance name the payloads and submissions of an entity' },
    { ...details, fix: 'list_observations and get_field_provenance name the payloads and submissions of an entity.' },
  );

interface FoundPayload {
  readonly payload: WholePayloadRow;
  /** Undefined: the first one. */
  readonly submission?: SubmissionRow | undefined;
}

function* findPayloadBy(db: Reader, asked: PayloadInput): Work<FoundPayload> {
  const { payload_id, payload_content_id, submission_id } = asked;
  const [found] = submission_id === undefined ? [] : yield* findSubmissions(db, [submission_id]);
  const byId = found?.payload_id ?? payload_id;
  const payload =
    payload_content_id === undefined
      ? byId === undefined
        ? undefined
        : yield* findWholePayload(db, byId)
      : (yield* findWholeByContent(db, [payload_content_id]))[0];
  if (payload === undefined) throw notFound(asked);
  return { payload, submission: found };
}

/** [TR95] A payload as it was submitted, with everyone who submitted it. */
export function createPayloadReader({ storage }: Pick<TruthDeps, 'storage'>) {
  return function readPayload(asked: PayloadInput, call: Call): Promise<PayloadAnswer> {
    return storage.read(call, function* (db) {
      const { payload, submission: one } = yield* findPayloadBy(db, asked);
      const { payload_id } = payload;
      const heads = yield* listSubmissionHeads(db, payload_id, truthLimits.listDefaultCount);
      const counted = yield* countSubmissions(db, payload_id, truthLimits.countedCount);
      const retractions = yield* findRetractions(
        db,
        heads.map((head) => head.submission_id),
      );
      const retractionOf = new Map(retractions.map((row) => [row.target_id, row]));
      return {
        payload_id,
        payload_content_id: payload.content_id,
        submission_id: one?.submission_id ?? payload.submission_id,
        capability_id: payload.capability_id,
        entity_id: payload.entity_id,
        entity_type: payload.primary_type,
        body: JSON.parse(one?.body ?? payload.body) as PayloadAnswer['body'],
        provenance: toProvenance(one ?? payload),
        created_at: toIso((one ?? payload).created_at),
        submissions: heads.map((head) => toSubmission(head, retractionOf.get(head.submission_id))),
        submissions_total: counted?.count ?? heads.length,
      };
    });
  };
}
