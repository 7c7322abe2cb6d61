import { z } from 'zod';
import { isObject } from '#kernel/json/is-object.ts';
import type { Body } from '../capabilities/normalise.ts';
import { truthLimits } from '../truth-limits.ts';

/** The map itself goes on: a parser's copy would leave out what it takes for dangerous, and a body is kept as it was sent. */
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

/** Bounds that a client need not know beforehand are told when they are met: this schema is listed in every conversation. */
export const submitInput = z.strictObject({
  capability_id: text(truthLimits.capabilityIdChars).describe('e.g. neotoma:store_invoice:v1'),
  body,
  provenance: z.strictObject({
    source_refs: sourceRefs.describe('Ids of payloads'),
    extracted_at: z.string().describe('ISO 8601'),
    extractor_version: text(truthLimits.extractorVersionChars),
    agent_id: text(truthLimits.agentIdChars).optional(),
  }),
  client_request_id: text(truthLimits.clientRequestIdChars).optional(),
});
export type SubmitInput = z.infer<typeof submitInput>;
