import type { Reader, Work } from '#kernel/storage/port.ts';
import type { AskedMoment } from '../../entities/load-entity.ts';
import { truthLimits } from '../../truth-limits.ts';
import type { EdgeView } from '../edge-list-store.ts';
import {
  type EdgeQuery,
  expectRootIn,
  newestFirst,
  readEdges,
  type ShownEdge,
  selectEdges,
  toView,
} from '../read-edges.ts';
import { type RelatedAnswer, type RelatedInput, toEdge } from '../relationship-model.ts';
import { expectTypes } from '../relationship-types/relationship-types.ts';
import { findEntitySummaries } from './graph-store.ts';

/** The newest edges of these roots, each once. */
export function* edgesAround(db: Reader, view: EdgeView, query: EdgeQuery, limit: number) {
  const rows = yield* readEdges(db, view, yield* selectEdges(db, view, query), limit + 1);
  return { rows: rows.slice(0, limit), isCut: rows.length > limit };
}

/** Breadth first; at equal distance, newer edges first. */
export function* walkRelated(db: Reader, input: RelatedInput, asked: AskedMoment): Work<RelatedAnswer> {
  const { entity_id, direction, max_hops, limit, relationship_types } = input;
  const view = yield* toView(db, asked);
  const types =
    relationship_types === undefined ? undefined : yield* expectTypes(db, relationship_types, 'relationship_types');
  const start = yield* expectRootIn(db, view, entity_id);
  const hopsOf = new Map([[start, 0]]);
  const edges = new Map<string, ShownEdge>();
  let isCut = false;
  let frontier: readonly string[] = [start];
  for (let hops = 1; hops <= max_hops && frontier.length > 0; hops += 1) {
    const around = yield* edgesAround(db, view, { rootIds: frontier, direction, types }, truthLimits.edgesCount);
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
