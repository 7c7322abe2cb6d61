import { z } from 'zod';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { isObject } from '#kernel/json/is-object.ts';
import { findIllFormedText } from '#kernel/text/well-formed.ts';
import type { Body } from '../capabilities/content-id.ts';
import { openedFields } from '../contradictions/opened-contradictions.ts';
import type { Answer } from '../entities/entity-model.ts';
import { forgottenFields } from '../forgetting/tombstones.ts';
import { readTime } from '../iso-time.ts';
import { effectiveFields } from '../observations/effective-time.ts';
import { rawFields } from '../schemas/raw-remarks.ts';
import { reviewFields } from '../schemas/review-statement.ts';
import { truthLimits } from '../truth-limits.ts';

const refuse = (field: string, why: string): never => {
  throw faults.VALIDATION_ERROR({ why: `${field} ${why}` }, { field });
};

/** JSON text may hold 1e999, which parses as Infinity and would be stored as null. */
function checkValue(value: unknown, depth: number): void {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) refuse('body', 'contains a number that is not finite');
    return;
  }
  if (value === null || typeof value !== 'object') return;
  if (depth > truthLimits.bodyDepth) refuse('body', `is nested deeper than ${truthLimits.bodyDepth} levels`);
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) checkValue(item, depth + 1);
    return;
  }
  const members = value as Readonly<Record<string, unknown>>;
  // No copy of the members, which may be fifty thousand.
  for (const key in members) checkValue(members[key], depth + 1);
}

/** Invoke checks this too, but bulk imports bypass it. */
export function checkText(input: object): void {
  const illFormedAt = findIllFormedText(input);
  if (illFormedAt !== undefined) refuse(illFormedAt || 'The payload', 'contains NUL or an unpaired surrogate');
}

/** [TR3] Returns the body as stored. */
export function checkBody(body: object): string {
  checkValue(body, 1);
  const text = JSON.stringify(body);
  const { bodyBytes } = truthLimits;
  if (text.length > bodyBytes || (text.length * 3 > bodyBytes && Buffer.byteLength(text) > bodyBytes)) {
    refuse('body', `is larger than ${bodyBytes} bytes of JSON`);
  }
  return text;
}

/** The caller's clock may be up to a day ahead. */
export function checkObservedAt(text: string, field: string, now: number): number {
  const at = readTime(text, field).from;
  if (at > now + truthLimits.clockAheadMs) refuse(field, 'is more than a day in the future');
  return at;
}

/**
 * Passes the object itself on: a copy by the parser would drop keys such as `__proto__`, and a body is stored as sent.
 */
const body = z.custom<Body>(isObject, { error: 'must be object' }).meta({ type: 'object' });

const text = (chars: number) =>
  z.string().refine((value) => value !== '' && value.length <= chars, {
    error: `must be text of 1 to ${chars} characters`,
  });

const { sourceRefsCount, sourceRefChars } = truthLimits;
const sourceRefs = z
  .array(z.string())
  .refine((refs) => refs.length <= sourceRefsCount && refs.every((ref) => ref !== '' && ref.length <= sourceRefChars), {
    error: `must be at most ${sourceRefsCount} ids of 1 to ${sourceRefChars} characters`,
  });

/** Limits are enforced by refinements and not listed, because this schema is part of every tool list. */
export const submitInput = z.strictObject({
  capability_id: text(truthLimits.capabilityIdChars).describe(
    'neotoma:store_X:v1, X: invoice, receipt, transaction, contract, note',
  ),
  body: body.describe('invoice_number, vendor_name, amount, date, …; contract_number, parties; title'),
  provenance: z.strictObject({
    source_refs: sourceRefs.describe('Payload ids'),
    extracted_at: z.string().describe('ISO 8601'),
    extractor_version: text(truthLimits.extractorVersionChars),
    agent_id: text(truthLimits.agentIdChars).optional(),
  }),
  client_request_id: text(truthLimits.clientRequestIdChars).optional(),
  ...effectiveFields,
});
export type SubmitInput = z.infer<typeof submitInput>;

export const submitAnswer = z.object({
  payload_id: z.string(),
  payload_content_id: z.string(),
  payload_submission_id: z.string(),
  submission_id: z.string().describe('The same as payload_submission_id'),
  created: z.boolean().describe('Whether the payload is new'),
  observations_added: z.int().describe('0 if everything was submitted before'),
  message: z.string(),
  entities: z.array(
    z.object({
      entity_id: z.string(),
      entity_type: z.string(),
      observation_id: z.string(),
      identity_rule: z.enum(['natural_key', 'title', 'content', 'name']),
      role: z.string(),
    }),
  ),
  ...reviewFields,
  ...rawFields,
  ...openedFields,
  ...forgottenFields,
});
export type SubmitAnswer = Answer<typeof submitAnswer>;
