import { z } from 'zod';
import { type Answer, sourceKinds, statementTimes, truncationFields } from '../entity-model.ts';

export const sourceRecord = z.object({
  id: z.string(),
  /** The primary type of a payload; `correction` for a correction. */
  type: z.string(),
  file_urls: z.array(z.string()),
  file_name: z.string().optional().describe('Of the first file'),
  created_at: z.string(),
  deleted: z.literal(true).optional(),
  reason: z.string().optional(),
});

export type SourceRecord = Answer<typeof sourceRecord>;

/** A place in the text of a document. */
export const textSpan = {
  text: z.string().describe('The value with some text around it'),
  offset: z.int().describe('Where the value begins in it'),
  start: z.int(),
  end: z.int(),
};

const sourceRef = sourceRecord.partial().extend({
  ref: z.string().describe('As given in source_refs'),
  type: z.string(),
  file_urls: z.array(z.string()),
});

export type SourceRef = Answer<typeof sourceRef>;

/** Who stated it. */
export const statedBy = {
  agent_id: z.string().optional(),
  actor: z.string().optional().describe('The key or user that recorded it'),
  extractor_version: z.string().optional(),
};

export type StatedBy = Answer<z.ZodObject<typeof statedBy>>;

export const sourceObservation = z.object({
  id: z.string(),
  source_record_id: z.string(),
  observed_at: z.string(),
  specificity_score: z.number(),
  source_priority: z.int(),
  source_kind: z.enum(sourceKinds),
  role: z.string(),
  ...statementTimes,
  submission_id: z.string().optional(),
  ...statedBy,
});
export type SourceObservation = Answer<typeof sourceObservation>;

const contributingObservation = sourceObservation.extend({ source_record: sourceRecord });

export const fieldProvenance = z.object({
  entity_id: z.string(),
  redirected_from: z.string().optional(),
  field: z.string(),
  value: z.unknown(),
  source_observation: sourceObservation,
  source_record: sourceRecord,
  observed_at: z.string(),
  source_text: z.object(textSpan).optional().describe('Where the value is in the text of the document'),
  disputed_in: z.array(z.string()).optional().describe('Open contradictions about the value: see list_contradictions'),
  contributing_observations: z.array(contributingObservation).describe('The other ones'),
  contributing_total: z.int(),
  source_refs: z.array(sourceRef),
});
export type FieldProvenance = Answer<typeof fieldProvenance>;

export const statement = z.object({
  observation_id: z.string(),
  value: z.unknown(),
  observed_at: z.string(),
  created_at: z.string(),
  source_kind: z.enum(sourceKinds),
  source_record_id: z.string(),
  source_priority: z.int(),
  specificity_score: z.number(),
  ...statementTimes,
  submission_id: z.string(),
  ...statedBy,
  source_record: sourceRecord.describe('Where it comes from'),
  source: z.string().optional().describe('What the source was called'),
  reason: z.string().optional().describe('Why it was corrected or retracted'),
  quote: z.string().optional().describe('The text that stated it, shortened'),
  ended: z.literal(true).optional().describe('No value from then on'),
  raw: z.literal(true).optional().describe('The active schema does not accept the value'),
  wins: z.boolean().describe('It contributes to the value in the snapshot'),
});
export type Statement = Answer<typeof statement>;

export const fieldHistory = z.object({
  entity_id: z.string(),
  redirected_from: z.string().optional(),
  field: z.string(),
  history: z.array(statement),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
  ...truncationFields,
});
export type FieldHistory = Answer<typeof fieldHistory>;
