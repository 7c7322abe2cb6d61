import { z } from 'zod';
import { truthLimits } from '../truth-limits.ts';
import { entityIdPattern, fieldPattern, typePattern } from '../truth-vocabulary.ts';

type ReadonlyDeep<T> = T extends readonly (infer Item)[]
  ? readonly ReadonlyDeep<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> }
    : T;

/** The type of a tool's answer; read-only, because answers are built from read-only rows. */
export type Answer<Schema extends z.ZodType> = ReadonlyDeep<z.output<Schema>>;

export const entityIdField = z.string().regex(entityIdPattern).describe('`ent_…`');
export const entityTypeField = z.string().regex(typePattern);
export const fieldName = z.string().regex(fieldPattern);
export const limitField = z.int().min(1).max(truthLimits.listCount).default(truthLimits.listDefaultCount);
export const offsetField = z.int().min(0).max(truthLimits.offsetCount).default(0);

/** Present in a list that was cut at the maximum size of an answer. */
export const truncationFields = { truncated: z.literal(true).optional(), nextOffset: z.int().optional() };

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
});
export type ListedEntity = Answer<typeof listedEntity>;

export const sourceKinds = ['payload', 'record', 'correction'] as const;

export const observationView = z.object({
  id: z.string(),
  entity_id: z.string(),
  entity_type: z.string(),
  schema_version: z.string(),
  source_kind: z.enum(sourceKinds),
  source_record_id: z.string(),
  source_payload_id: z.string().optional(),
  role: z.string(),
  observed_at: z.string(),
  specificity_score: z.number(),
  source_priority: z.int(),
  fields: anyFields,
  raw_fragments: anyFields,
  created_at: z.string(),
});
export type ObservationView = Answer<typeof observationView>;

export interface Truncation {
  readonly truncated?: true;
  readonly nextOffset?: number;
}
