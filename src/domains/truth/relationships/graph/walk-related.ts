import type { Reader, Work } from '#kernel/storage/port.ts';
import { chunksOf } from '../../chunks.ts';
import { expectRootIds } from '../../entities/load-entity.ts';
import { truthLimits } from '../../truth-limits.ts';
import { type RelationshipType, relationshipTypes } from '../../truth-vocabulary.ts';
import { toSelectors } from '../list-relationships.ts';
import { type Direction, type RelatedAnswer, type RelatedInput, toEdge } from '../relationship-model.ts';
import { type EdgeRow, listEdges } from '../relationship-store.ts';
import { findEntitySummaries } from './graph-store.ts';

type DatedEdge = Pick<EdgeRow, 'created_at' | 'relationship_id'>;

function newestFirst(a: DatedEdge, b: DatedEdge): number {
  if (a.created_at !== b.created_at) return b.created_at - a.created_at;
  return a.relationship_id < b.relationship_id ? -1 : 1;
}

/** The newest edges of these roots, each once; several roots per statement. */
export function* edgesAround(
  db: Reader,
  rootIds: readonly string[],
  direction: Direction,
  types: readonly RelationshipType[],
  limit: number,
) {
  const found = new Map<string, EdgeRow>();
  let isCut = false;
  const selectorsPerRoot = toSelectors([''], direction, types).length;
  for (const chunk of chunksOf(rootIds, Math.max(1, Math.floor(truthLimits.subqueriesCount / selectorsPerRoot)))) {
    const rows = yield* listEdges(db, toSelectors(chunk, direction, types), limit + 1);
    isCut ||= rows.length > limit;
    for (const row of rows.slice(0, limit)) found.set(row.relationship_id, row);
  }
  const rows = [...found.values()].sort(newestFirst);
  return { rows: rows.slice(0, limit), isCut: isCut || rows.length > limit };
}

/** Breadth first; at equal distance, newer edges first. */
export function* walkRelated(db: Reader, input: RelatedInput): Work<RelatedAnswer> {
  const { entity_id, direction, max_hops, limit, relationship_types } = input;
  const types = [...new Set(relationship_types ?? relationshipTypes)];
  const start = (yield* expectRootIds(db, { entity_id })).entity_id;
  const hopsOf = new Map([[start, 0]]);
  const edges = new Map<string, EdgeRow>();
  let isCut = false;
  let frontier: readonly string[] = [start];
  for (let hops = 1; hops <= max_hops && frontier.length > 0; hops += 1) {
    const around = yield* edgesAround(db, frontier, direction, types, truthLimits.edgesCount);
    isCut ||= around.isCut;
    const next: string[] = [];
    for (const row of around.rows) {
      const fresh = [row.source_root_id, row.target_root_id].filter((id) => !hopsOf.has(id));
      if (hopsOf.size - 1 + fresh.length > limit || edges.size >= truthLimits.edgesCount) {
        isCut ||= !edges.has(row.relationship_id);
        continue;
      }
      for (const id of fresh) hopsOf.set(id, hops);
      next.push(...fresh);
      edges.set(row.relationship_id, row);
    }
    frontier = next;
  }
  hopsOf.delete(start);
  const heads = new Map((yield* findEntitySummaries(db, [...hopsOf.keys()])).map((head) => [head.entity_id, head]));
  return {
    entities: [...hopsOf].flatMap(([id, hops]) => {
      const head = heads.get(id);
      return head === undefined ? [] : [{ ...head, hops }];
    }),
    relationships: [...edges.values()].sort(newestFirst).map(toEdge),
    truncated: isCut,
    ...(start !== entity_id && { redirected_from: entity_id }),
  };
}
