import { z } from 'zod';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { instructionEntry } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { shownEntry } from '../reads/brief-entry.ts';

/** Accepts any text: an id that is not valid is answered as not found. */
export const anyId = z.string().min(1).max(400);

export const limitField = z.int().min(1).max(instructionLimits.listCount).optional();
export const offsetField = z.int().min(0).max(Number.MAX_SAFE_INTEGER).optional();
export const cursorField = z.string().max(2_048).optional().describe('nextCursor of a page');

export const filterText = z.string().min(1).max(instructionLimits.filterChars);
export const filterTexts = z.array(filterText).max(instructionLimits.filterValuesCount);

export const entries = z.array(instructionEntry);
/** Of a tool that takes `brief`. */
export const shownEntries = z.array(shownEntry);
export const briefField = z
  .boolean()
  .optional()
  .describe('Only id, title, requirement, priority, status, version and sourceHash');

/** Of a write by a caller without the scope admin. */
export const proposedFields = {
  proposed: z.literal(true).optional().describe('Nothing was changed: an admin has to approve it'),
  proposal_id: z.string().optional(),
};
export const proposedManyFields = {
  ...proposedFields,
  proposal_ids: z.array(z.string()).optional().describe('One per entry; proposal_id is set if it is the only one'),
};

/** The fields of a list that was cut at the size of an answer. */
export const cutFields = { truncated: z.literal(true).optional(), nextOffset: z.int().optional() };

export const listFields = {
  hash: z.string(),
  count: z.int().describe('All that match'),
  schemaVersion: z.string(),
  items: entries,
  ...cutFields,
};

/**
 * A longer list is rejected as RESOURCE_LIMIT (-32001) and not as an invalid parameter; the schema shows the maximum.
 */
export const boundedList = <T extends z.ZodType>(item: T, max: number, what: string) =>
  z
    .array(item)
    .superRefine((list, context) => {
      if (list.length <= max) return;
      const fault = faults.RESOURCE_LIMIT({ what, limit: max, unit: 'items' });
      context.addIssue({ code: 'custom', message: fault.message, params: { fault } });
    })
    .meta({ maxItems: max });

export const remarkFields = {
  signals: z.record(z.string(), z.int()).describe('Open signals of usage/track, by kind'),
  comments: z
    .array(z.object({ by: z.string().optional(), at: z.string(), signal: z.string().optional(), comment: z.string() }))
    .describe('The newest comments of usage/track'),
};

/** Missing where nothing was said. */
export const optionalRemarks = { signals: remarkFields.signals.optional(), comments: remarkFields.comments.optional() };
