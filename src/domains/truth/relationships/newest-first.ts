import type { EdgeRow } from './relationship-store.ts';

type Dated = Pick<EdgeRow, 'created_at' | 'relationship_id'>;

/** The order of every list of edges: newest first, then by id. */
export function newestFirst(a: Dated, b: Dated): number {
  if (a.created_at !== b.created_at) return b.created_at - a.created_at;
  return a.relationship_id < b.relationship_id ? -1 : 1;
}
