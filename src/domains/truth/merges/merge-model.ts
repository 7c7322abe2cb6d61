import { z } from 'zod';
import { cursorLimits } from '#kernel/cursor/cursor.ts';
import { type Answer, entityIdField, entityTypeField, limitField } from '../entities/entity-model.ts';
import { entitySummary } from '../relationships/relationship-model.ts';

export const mergePairInput = z.strictObject({
  source_entity_id: entityIdField,
  target_entity_id: entityIdField,
  dry_run: z.boolean().default(false).describe('Only report the outcome, without a change'),
});
export type MergePair = z.output<typeof mergePairInput>;

export const mergeAnswer = z.object({
  merged: z.boolean(),
  dry_run: z.boolean(),
  source_entity_id: z.string(),
  target_entity_id: z.string(),
  root_entity_id: z.string(),
  observation_count: z.int(),
  observations_moved: z.int(),
  entities_moved: z.int(),
  relationships_moved: z.int(),
  merged_at: z.string().optional(),
});
export type MergeAnswer = Answer<typeof mergeAnswer>;

export const unmergeAnswer = z.object({
  unmerged: z.boolean(),
  dry_run: z.boolean(),
  source_entity_id: z.string(),
  target_entity_id: z.string(),
  root_entity_id: z.string(),
  observation_count: z.int(),
  target_root_entity_id: z.string(),
  target_observation_count: z.int(),
  entities_moved: z.int(),
  relationships_moved: z.int(),
  unmerged_at: z.string().optional(),
});
export type UnmergeAnswer = Answer<typeof unmergeAnswer>;

export const duplicatesTool = 'list_potential_duplicates';

export const duplicatesInput = z.strictObject({
  entity_type: entityTypeField.optional(),
  limit: limitField,
  cursor: z.string().min(1).max(cursorLimits.cursorChars).optional().describe('`next_cursor` of the previous page'),
});
export type DuplicatesInput = z.output<typeof duplicatesInput>;

export const duplicatesAnswer = z.object({
  duplicates: z.array(
    z.object({
      entity_type: z.string(),
      reason: z.object({ text: z.string().describe('In words'), field: z.string(), match_key: z.string() }),
      entities: z.array(entitySummary),
      truncated: z.literal(true).optional(),
    }),
  ),
  next_cursor: z.string().optional(),
});
export type DuplicatesAnswer = Answer<typeof duplicatesAnswer>;
export type DuplicateCandidates = DuplicatesAnswer['duplicates'][number];
