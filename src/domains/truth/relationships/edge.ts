import { z } from 'zod';
import { toIso } from '../times.ts';
import type { EdgeRow } from './relationship-store.ts';

const metadata = z.custom<Readonly<Record<string, unknown>>>().meta({ type: 'object', additionalProperties: true });

/** An edge as it is shown: between roots. */
export const edge = z.object({
  id: z.string(),
  relationship_type: z.string(),
  source_entity_id: z.string(),
  target_entity_id: z.string(),
  metadata: metadata.optional(),
  created_at: z.string(),
  /** The end that was given, where it is merged into the one that is shown. */
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

/** An entity where it stands among others. */
export const entityHead = z.object({
  entity_id: z.string(),
  entity_type: z.string(),
  canonical_name: z.string(),
  observation_count: z.int(),
});
