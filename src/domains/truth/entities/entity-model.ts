import { z } from 'zod';
import { truthLimits } from '../truth-limits.ts';
import { entityIdPattern, fieldPattern, typePattern } from '../truth-vocabulary.ts';

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
  raw_fragments: anyFields.optional(),
});

type FieldValues = Readonly<Record<string, unknown>>;

export interface EntitySnapshot {
  readonly entity_id: string;
  readonly entity_type: string;
  readonly schema_version: string;
  readonly snapshot: FieldValues;
  readonly provenance: Readonly<Record<string, string>>;
  readonly provenance_all: Readonly<Record<string, readonly string[]>>;
  readonly computed_at: string;
  readonly observation_count: number;
  readonly last_observation_at: string;
  readonly redirected_from?: string;
  /** Statements that no schema field accepts, the newest of each name. */
  readonly raw_fragments?: FieldValues;
}

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

export interface ListedEntity {
  readonly entity_id: string;
  readonly entity_type: string;
  readonly canonical_name: string;
  readonly schema_version: string;
  readonly observation_count: number;
  readonly last_observation_at: string;
  readonly created_at: string;
  readonly snapshot?: FieldValues;
}

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
export type ObservationView = z.infer<typeof observationView>;

export interface Truncation {
  readonly truncated?: true;
  readonly nextOffset?: number;
}

export const mergePairInput = z.strictObject({
  source_entity_id: entityIdField,
  target_entity_id: entityIdField,
  dry_run: z.boolean().default(false).describe('Only report the outcome, without a change'),
});
