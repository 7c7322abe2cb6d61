import { z } from 'zod';
import { cursorLimits } from '#kernel/cursor/cursor.ts';
import {
  type Answer,
  entityIdField,
  entityTypeField,
  fieldName,
  limitField,
  sourceKinds,
  statementTimes,
} from '../entities/entity-model.ts';
import { timeField } from '../iso-time.ts';
import { truthLimits } from '../truth-limits.ts';
import { closings } from './contradiction-store.ts';

export const contradictionsTool = 'list_contradictions';

export const contradictionsInput = z.strictObject({
  entity_id: entityIdField.optional(),
  entity_type: entityTypeField.optional(),
  field: fieldName.optional(),
  status: z.enum(['open', 'closed', 'all']).default('open'),
  as_known_at: timeField.optional().describe('The list as it was then'),
  limit: limitField,
  cursor: z.string().min(1).max(cursorLimits.cursorChars).optional().describe('`next_cursor` of the previous page'),
});
export type ContradictionsInput = z.output<typeof contradictionsInput>;

const statement = z.object({
  value: z.unknown(),
  ended: z.literal(true).optional().describe('States that the field has no value'),
  observation_id: z.string(),
  submission_id: z.string().describe('For retract_statement; the record, if it was read from a file'),
  source_kind: z.enum(sourceKinds),
  source_record_id: z.string(),
  source_refs: z.array(z.string()).optional(),
  agent_id: z.string().optional(),
  actor: z.string().optional().describe('The key or user that recorded it'),
  extractor_version: z.string().optional(),
  observed_at: z.string(),
  ...statementTimes,
  created_at: z.string().describe('When it was recorded'),
});
export type DisputedStatement = Answer<typeof statement>;

const closing = z.object({
  closed_at: z.string(),
  closed_by: z.enum(closings),
  closing_id: z.string().optional().describe('The correction, or the submission that was retracted'),
  actor: z.string().optional(),
  reason: z.string().optional(),
});

const shownValue = z.object({ value: z.unknown(), observation_id: z.string() });

const contradiction = z.object({
  contradiction_id: z.string(),
  entity_id: z.string(),
  entity_type: z.string(),
  name: z.string(),
  field: z.string(),
  statements: z.array(statement).describe('The two that disagree, in the order of recording'),
  shown: shownValue.optional().describe('What the snapshot shows now; absent if the field has no value'),
  opened_at: z.string(),
  closing: closing.optional().describe('Absent while it is open'),
});
export type Contradiction = Answer<typeof contradiction>;

export const contradictionsAnswer = z.object({
  contradictions: z.array(contradiction),
  how_to_close: z.string().optional(),
  next_cursor: z.string().optional(),
});
export type ContradictionsAnswer = Answer<typeof contradictionsAnswer>;

export const acceptInput = z.strictObject({
  contradiction_id: z.string().min(1).max(truthLimits.contradictionIdChars).describe('From list_contradictions'),
  reason: z.string().min(1).max(truthLimits.reasonChars).optional(),
});
export type AcceptInput = z.infer<typeof acceptInput>;

export const acceptAnswer = z.object({
  contradiction_id: z.string(),
  accepted: z.boolean().describe('False if it was closed before'),
  entity_id: z.string(),
  field: z.string(),
  shown: shownValue.optional().describe('The value that stays'),
  closing,
});
export type AcceptAnswer = Answer<typeof acceptAnswer>;
