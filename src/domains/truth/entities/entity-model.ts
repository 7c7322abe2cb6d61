import { z } from 'zod';
import { showTime } from '../iso-time.ts';
import { truthLimits } from '../truth-limits.ts';
import { entityIdPattern, fieldPattern, typePattern } from '../truth-vocabulary.ts';

import { type ObservationRow, parseDetails } from './observed-store.ts';

type ReadonlyDeep<T> = T extends readonly (infer Item)[]
  ? readonly ReadonlyDeep<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> }
    : T;

/** The type of a tool's answer; read-only, because answers are built from read-only rows. */
export type Answer<Schema extends z.ZodType> = ReadonlyDeep<z.output<Schema>>;

/** [TR94] A frequent mistake is a name, so the message says how to find the id. */
export const entityIdField = z
  .string()
  .refine((id) => entityIdPattern.test(id), {
    error: 'must be an id (ent_…), not a name; find it with get_entity_by_identifier or retrieve_entities',
  })
  .meta({ pattern: entityIdPattern.source });
export const entityTypeField = z.string().regex(typePattern);
export const fieldName = z.string().regex(fieldPattern);
export const limitField = z.int().min(1).max(truthLimits.listCount).default(truthLimits.listDefaultCount);
export const offsetField = z.int().min(0).max(truthLimits.offsetCount).default(0);

/** Present in a list that was cut at the maximum size of an answer. */
export const truncationFields = { truncated: z.literal(true).optional(), nextOffset: z.int().optional() };

export const upcomingChange = z.object({
  field: z.string(),
  value: z.unknown().optional().describe('Absent: it ends'),
  from: z.string(),
});
export type UpcomingChange = Answer<typeof upcomingChange>;

/** Any JSON: the schema of the entity type defines the fields. */
export const anyFields = z.record(z.string(), z.unknown());

export const entitySnapshot = z.object({
  entity_id: z.string(),
  entity_type: z.string(),
  schema_version: z.string(),
  snapshot: anyFields,
  provenance: z.record(z.string(), z.string()),
  provenance_all: z.record(z.string(), z.array(z.string())),
  computed_at: z.string(),
  observation_count: z.int(),
  last_observation_at: z.string(),
  redirected_from: z.string().optional(),
  /** Statements that no schema field accepts, the newest of each name. */
  raw_fragments: anyFields.optional(),
  upcoming: z.array(upcomingChange).optional().describe('What changes by itself, the next first'),
});
export type EntitySnapshot = Answer<typeof entitySnapshot>;

export const listedEntity = z.object({
  entity_id: z.string(),
  entity_type: z.string(),
  canonical_name: z.string(),
  schema_version: z.string(),
  observation_count: z.int(),
  last_observation_at: z.string(),
  created_at: z.string(),
  snapshot: anyFields.optional(),
  raw_fragments: anyFields.optional().describe('Values that no schema field accepts'),
});
export type ListedEntity = Answer<typeof listedEntity>;

/** [TR60] */
export const identifiedEntity = listedEntity.extend({
  match: z.enum(['alias', 'folded', 'near']).optional().describe('Missing if the identifier matches exactly'),
  matched_text: z.string().optional().describe('The name or number that is like the identifier'),
});
export type IdentifiedEntity = Answer<typeof identifiedEntity>;

export const sourceKinds = ['payload', 'record', 'correction'] as const;

/** Times of a statement in addition to `observed_at`. Without `effective_until` it has no end. */
export const statementTimes = {
  effective_at: z.string(),
  effective_until: z.string().optional(),
  retracted_at: z.string().optional(),
};

type TimedRow = Pick<ObservationRow, 'effective_at' | 'effective_until' | 'retracted_at' | 'details'>;

export function showTimes({ effective_at, effective_until, retracted_at, details }: TimedRow) {
  const { at_chars, until_chars } = parseDetails(details);
  return {
    effective_at: showTime(effective_at, at_chars),
    ...(effective_until === null ? {} : { effective_until: showTime(effective_until, until_chars) }),
    ...(retracted_at === null ? {} : { retracted_at: showTime(retracted_at) }),
  };
}

export const observationView = z.object({
  id: z.string(),
  entity_id: z.string(),
  entity_type: z.string(),
  schema_version: z.string(),
  source_kind: z.enum(sourceKinds),
  source_record_id: z.string(),
  source_payload_id: z.string().optional(),
  role: z.string(),
  submission_id: z.string(),
  observed_at: z.string(),
  ...statementTimes,
  specificity_score: z.number(),
  source_priority: z.int(),
  fields: anyFields,
  raw_fragments: anyFields,
  ended: z.array(z.string()).optional(),
  until_newer: z.literal(true).optional(),
  created_at: z.string(),
});
export type ObservationView = Answer<typeof observationView>;

export interface Truncation {
  readonly truncated?: true;
  readonly nextOffset?: number;
}
