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
import { showTime, timeField, toIso } from '../iso-time.ts';
import { isFiniteJson } from '../json-object.ts';
import { timelineEvent } from '../timeline/timeline-model.ts';
import { truthLimits } from '../truth-limits.ts';
import { toRelationshipType } from '../truth-vocabulary.ts';
import type { EdgeRow } from './relationship-store.ts';
import { builtinNames } from './relationship-types/builtin-types.ts';
import { unknownType } from './relationship-types/relationship-types.ts';
import type { SourcedPeriod } from './statements/periods.ts';

const storedMetadata = z
  .custom<Readonly<Record<string, unknown>>>()
  .meta({ type: 'object', additionalProperties: true });

/** Absent where it was not stated: then the start is the time of recording, and the end is open. */
const periodFields = {
  effective_at: z.string().optional(),
  effective_until: z.string().optional(),
  metadata: storedMetadata.optional(),
  /** The document that it follows from; absent if it was stated with a tool. */
  source: z.object({ kind: z.string(), id: z.string().optional(), submission_id: z.string().optional() }).optional(),
};

/** As shown: between roots. */
export const edge = z.object({
  id: z.string(),
  relationship_type: z.string(),
  source_entity_id: z.string(),
  target_entity_id: z.string(),
  ...periodFields,
  created_at: z.string(),
  /** The original end, if it is merged into the one shown. */
  source_redirected_from: z.string().optional(),
  target_redirected_from: z.string().optional(),
});
export type Edge = Readonly<z.infer<typeof edge>>;

const showSource = ({ source_kind, source_id, submission_id }: SourcedPeriod) => ({
  kind: source_kind,
  ...(source_id !== null && { id: source_id }),
  ...(submission_id !== null && { submission_id }),
});

const showPeriod = (row: SourcedPeriod) => ({
  ...(row.metadata !== null && { metadata: JSON.parse(row.metadata) as Readonly<Record<string, unknown>> }),
  ...(row.at_chars > 0 && { effective_at: showTime(row.effective_at, row.at_chars) }),
  ...(row.effective_until !== null && { effective_until: showTime(row.effective_until, row.until_chars) }),
  ...(row.source_kind !== 'call' && { source: showSource(row) }),
});

export const toEdge = (row: EdgeRow): Edge => ({
  id: row.relationship_id,
  relationship_type: row.relationship_type,
  source_entity_id: row.source_root_id,
  target_entity_id: row.target_root_id,
  ...showPeriod(row),
  created_at: toIso(row.created_at),
  ...(row.source_entity_id !== row.source_root_id && { source_redirected_from: row.source_entity_id }),
  ...(row.target_entity_id !== row.target_root_id && { target_redirected_from: row.target_entity_id }),
});

const listedEdge = edge.extend({
  /** Only with `include_ended`. */
  holds: z.boolean().optional(),
  /** Only with `include_ended`, if there are several; the newest first. */
  periods: z.array(z.object(periodFields)).optional(),
});

export const toListedEdge = (
  row: EdgeRow & { readonly holds: boolean; readonly periods?: readonly SourcedPeriod[] },
  withEnded: boolean,
): z.infer<typeof listedEdge> => ({
  ...toEdge(row),
  ...(withEnded && { holds: row.holds }),
  ...(row.periods !== undefined && { periods: row.periods.map(showPeriod) }),
});

export const entitySummary = z.object({
  entity_id: z.string(),
  entity_type: z.string(),
  canonical_name: z.string(),
  observation_count: z.int(),
});

/** The document defines a separate code for an unknown type. Whether it is registered is checked with the store. */
export const relationshipTypeField = z
  .custom<string>((text) => toRelationshipType(text) !== undefined, {
    params: { fault: unknownType('relationship_type') },
  })
  .meta({
    type: 'string',
    description: `${builtinNames.join(', ')}, or a registered one`,
  });

const momentFields = {
  at: timeField.optional().describe('Time at which they hold; default: now'),
  as_known_at: timeField.optional().describe('Only what was recorded by then'),
};

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

/** A relationship as part of an entity's snapshot. */
const briefRelation = z.object({
  type: z.string(),
  direction: z.enum(['outbound', 'inbound']),
  entity_id: z.string(),
  entity_type: z.string(),
  name: z.string(),
  effective_at: z.string().optional(),
  effective_until: z.string().optional(),
});

export const briefRelations = {
  relations: z.array(briefRelation).optional().describe('With `include_relations`; the newest first'),
  relations_truncated: z.literal(true).optional().describe('get_related_entities has more'),
};
export type BriefRelations = Answer<z.ZodObject<typeof briefRelations>>;

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

export const neighborhoodInput = z.strictObject({
  node_id: z.string().min(1).max(truthLimits.nodeIdChars).describe('Id of an entity, record or payload'),
  node_type: z.enum(['entity', 'record']),
  ...momentFields,
  limit: limitField.describe('Maximum of each list'),
});
export type NeighborhoodInput = z.output<typeof neighborhoodInput>;

export const createInput = z.strictObject({
  relationship_type: relationshipTypeField,
  source_entity_id: entityIdField,
  target_entity_id: entityIdField,
  metadata: metadata.optional(),
  effective_at: timeField.optional().describe('Holds from then; default: now. 2026-05 is enough'),
  effective_until: timeField.optional().describe('Exclusive end. Alone it ends the period that is open then'),
});
export type CreateInput = z.output<typeof createInput>;

export const createAnswer = edge.extend({
  created: z.boolean(),
  /** The edge existed, and its times or metadata changed. */
  statement_added: z.literal(true).optional(),
  message: z.string().optional(),
});
export type CreateAnswer = Answer<typeof createAnswer>;

export const relationshipIdField = z.uuid();

export const listInput = z.strictObject({
  entity_id: entityIdField,
  direction,
  relationship_type: relationshipTypeField.optional(),
  ...momentFields,
  include_ended: z.boolean().default(false).describe('Also those that do not hold at that time, with all periods'),
  limit: limitField,
  offset: offsetField,
});
export type ListInput = z.output<typeof listInput>;

export const listAnswer = z.object({
  relationships: z.array(listedEdge),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
  redirected_from: z.string().optional(),
});
export type ListAnswer = Answer<typeof listAnswer>;

export const relatedInput = z.strictObject({
  entity_id: entityIdField,
  relationship_types: z.array(relationshipTypeField).min(1).max(truthLimits.askedTypesCount).optional(),
  direction,
  ...momentFields,
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
