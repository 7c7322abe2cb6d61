import { z } from 'zod';
import { type Answer, entityIdField } from '../entities/entity-model.ts';
import { truthLimits } from '../truth-limits.ts';
import { certificate } from './certificate.ts';
import { forgettingLimits } from './forgetting-limits.ts';
import { mentionKinds } from './mention-store.ts';
import { removedKinds } from './removal.ts';

const dryRun = z.boolean().default(true).describe('Only lists what would be removed');
const includeMentions = z
  .boolean()
  .default(false)
  .describe('Also removes its names from other texts of this memory, and files that contain them');
const confirm = z.string().min(1).max(truthLimits.nameChars).optional();

export const forgetEntityInput = z.strictObject({
  entity_id: entityIdField,
  dry_run: dryRun,
  include_mentions: includeMentions,
  confirm: confirm.describe("The entity's name, as the dry run shows it"),
});
export type ForgetEntityInput = z.output<typeof forgetEntityInput>;

export const forgetSourceInput = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(truthLimits.payloadIdChars)
    .describe('payload_id, payload_content_id, submission_id or record id'),
  dry_run: dryRun,
  confirm: confirm.describe('The id again'),
});
export type ForgetSourceInput = z.output<typeof forgetSourceInput>;

const preview = z.object({
  name: z.string().describe('To be passed as confirm'),
  entity_ids: z.array(z.string()).describe('The entity and those merged into it'),
  removes: z.record(z.enum(removedKinds), z.int()),
  blanks: z
    .array(z.object({ source_id: z.string(), fields: z.array(z.string()) }))
    .describe('Payloads and records that stay without these fields'),
  blanks_total: z.int(),
  mentions: z
    .array(z.object({ kind: z.enum(mentionKinds), id: z.string(), text: z.string() }))
    .describe('Other texts with one of its names; removed with include_mentions'),
  mentions_total: z.int(),
});
export type ForgetPreview = Answer<typeof preview>;

export const forgetAnswer = z.object({
  dry_run: z.boolean(),
  forgotten: z.boolean(),
  preview: preview.optional(),
  certificate: certificate.optional(),
});
export type ForgetAnswer = Answer<typeof forgetAnswer>;

export const certificateInput = z.strictObject({ id: z.string().min(1).max(forgettingLimits.certificateIdChars) });
