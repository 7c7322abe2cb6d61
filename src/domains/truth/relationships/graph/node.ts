import { z } from 'zod';
import { anyFields, sourceKinds } from '../../entities/entity-model.ts';
import { type TimelineEvent, timelineEvent } from '../../timeline/timeline-event.ts';
import { edge, entityHead } from '../edge.ts';

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
  entities: z.array(entityHead),
  relationships: z.array(edge),
  sources: z.array(nodeSource),
  events: z.array(timelineEvent),
  truncated: z.boolean(),
  redirected_from: z.string().optional(),
});

export interface Neighborhood {
  readonly node: Readonly<z.infer<typeof graphNode>>;
  readonly entities: readonly z.infer<typeof entityHead>[];
  readonly relationships: readonly z.infer<typeof edge>[];
  readonly sources: readonly NodeSource[];
  readonly events: readonly TimelineEvent[];
  readonly truncated: boolean;
  readonly redirected_from?: string;
}

export interface NeighborhoodInput {
  readonly node_id: string;
  readonly node_type: 'entity' | 'record';
  readonly limit: number;
}
