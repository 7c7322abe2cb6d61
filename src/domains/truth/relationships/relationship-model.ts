import { z } from 'zod';
import { canonicalJson } from '#kernel/json/canonical.ts';
import { isObject } from '#kernel/json/is-object.ts';
import {
  type Answer,
  anyFields,
  entityIdField,
  limitField,
  offsetField,
  sourceKinds,
} from '../entities/entity-model.ts';
import { toIso } from '../iso-time.ts';
import { isFiniteJson } from '../json-object.ts';
import { timelineEvent } from '../timeline/timeline-model.ts';
import { truthFaults } from '../truth-faults.ts';
import { truthLimits } from '../truth-limits.ts';
import { type RelationshipType, relationshipTypes } from '../truth-vocabulary.ts';
import type { EdgeRow } from './relationship-store.ts';

const storedMetadata = z
  .custom<Readonly<Record<string, unknown>>>()
  .meta({ type: 'object', additionalProperties: true });

/** As shown: between roots. */
export const edge = z.object({
  id: z.string(),
  relationship_type: z.string(),
  source_entity_id: z.string(),
  target_entity_id: z.string(),
  metadata: storedMetadata.optional(),
  created_at: z.string(),
  /** The original end, if it is merged into the one shown. */
  source_redirected_from: z.string().optional(),
  target_redirected_from: z.string().optional(),
});
export type Edge = Readonly<z.infer<typeof edge>>;

export const toEdge = (row: EdgeRow): Edge => ({
  id: row.relationship_id,
  relationship_type: row.relationship_type,
  source_entity_id: row.source_root_id,
  target_entity_id: row.target_root_id,
  ...(row.metadata !== null && { metadata: JSON.parse(row.metadata) as Readonly<Record<string, unknown>> }),
  created_at: toIso(row.created_at),
  ...(row.source_entity_id !== row.source_root_id && { source_redirected_from: row.source_entity_id }),
  ...(row.target_entity_id !== row.target_root_id && { target_redirected_from: row.target_entity_id }),
});

export const entitySummary = z.object({
  entity_id: z.string(),
  entity_type: z.string(),
  canonical_name: z.string(),
  observation_count: z.int(),
});

const known: ReadonlySet<unknown> = new Set(relationshipTypes);

/** The document defines a separate code for an unknown type. */
const relationshipType = z
  .custom<RelationshipType>((text) => known.has(text), {
    params: { fault: truthFaults.INVALID_RELATIONSHIP_TYPE({}, { field: 'relationship_type' }) },
  })
  .meta({ type: 'string', enum: [...relationshipTypes] });

export const direction = z.enum(['inbound', 'outbound', 'both']).default('both');
export type Direction = z.infer<typeof direction>;

const { metadataBytes, metadataDepth } = truthLimits;

/** Passes the object itself on, not a copy by the parser. */
const metadata = z
  .custom<Readonly<Record<string, unknown>>>(
    (value) =>
      isObject(value) && isFiniteJson(value, metadataDepth) && Buffer.byteLength(canonicalJson(value)) <= metadataBytes,
    { error: `must be a JSON object with finite numbers, at most ${metadataBytes} bytes and ${metadataDepth} levels` },
  )
  .meta({ type: 'object' });

const graphNode = z.object({
  node_type: z.enum(['entity', 'record']),
  id: z.string(),
  type: z.string(),
  canonical_name: z.string().optional(),
  observation_count: z.int().optional(),
  snapshot: anyFields.optional(),
  capability_id: z.string().optional(),
  created_at: z.string(),
});

const nodeSource = z.object({
  source_record_id: z.string(),
  source_kind: z.enum(sourceKinds),
  type: z.string().optional(),
  capability_id: z.string().optional(),
  observed_at: z.string(),
  observation_ids: z.array(z.string()),
});
export type NodeSource = Readonly<z.infer<typeof nodeSource>>;

export const neighborhood = z.object({
  node: graphNode,
  entities: z.array(entitySummary),
  relationships: z.array(edge),
  sources: z.array(nodeSource),
  events: z.array(timelineEvent),
  truncated: z.boolean(),
  redirected_from: z.string().optional(),
});

export type Neighborhood = Answer<typeof neighborhood>;

export interface NeighborhoodInput {
  readonly node_id: string;
  readonly node_type: 'entity' | 'record';
  readonly limit: number;
}

export const createInput = z.strictObject({
  relationship_type: relationshipType,
  source_entity_id: entityIdField,
  target_entity_id: entityIdField,
  metadata: metadata.optional(),
});
export type CreateInput = z.output<typeof createInput>;

export const listInput = z.strictObject({
  entity_id: entityIdField,
  direction,
  relationship_type: relationshipType.optional(),
  limit: limitField,
  offset: offsetField,
});
export type ListInput = z.output<typeof listInput>;

export const listAnswer = z.object({
  relationships: z.array(edge),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
  redirected_from: z.string().optional(),
});
export type ListAnswer = Answer<typeof listAnswer>;

export const relatedInput = z.strictObject({
  entity_id: entityIdField,
  relationship_types: z.array(relationshipType).min(1).max(relationshipTypes.length).optional(),
  direction,
  max_hops: z.int().min(1).max(truthLimits.hopsCount).default(1),
  limit: limitField.describe('Maximum number of entities'),
});
export type RelatedInput = z.output<typeof relatedInput>;

export const relatedAnswer = z.object({
  entities: z.array(entitySummary.extend({ hops: z.int() })),
  relationships: z.array(edge),
  truncated: z.boolean(),
  redirected_from: z.string().optional(),
});
export type RelatedAnswer = Answer<typeof relatedAnswer>;
