import type { Reader, Work } from '#kernel/storage/port.ts';
import type { AskedMoment } from '../entities/load-entity.ts';
import { truthLimits } from '../truth-limits.ts';
import { findEntitySummaries } from './graph/graph-store.ts';
import { edgesAround } from './graph/walk-related.ts';
import { countShown, expectRootIn, readEdges, selectEdges, toView } from './read-edges.ts';
import { type BriefRelations, type ListAnswer, type ListInput, toEdge, toListedEdge } from './relationship-model.ts';
import { expectTypes } from './relationship-types/relationship-types.ts';

/** The newest relationships of an entity, each with the name of the other end. */
export function* listBriefly(db: Reader, entityId: string, asked: AskedMoment): Work<BriefRelations> {
  const view = yield* toView(db, asked);
  const root = yield* expectRootIn(db, view, entityId);
  const { rows, isCut } = yield* edgesAround(
    db,
    view,
    { rootIds: [root], direction: 'both' },
    truthLimits.briefRelationsCount,
  );
  const found = rows.map((row) => {
    const isOutbound = row.source_root_id === root;
    return { row, isOutbound, otherId: isOutbound ? row.target_root_id : row.source_root_id };
  });
  const summaries = yield* findEntitySummaries(db, [...new Set(found.map(({ otherId }) => otherId))]);
  const heads = new Map(summaries.map((head) => [head.entity_id, head]));
  return {
    relations: found.map(({ row, isOutbound, otherId }) => {
      const { relationship_type: type, effective_at, effective_until } = toEdge(row);
      const { entity_type, canonical_name } = heads.get(otherId)!;
      return {
        type,
        direction: isOutbound ? 'outbound' : 'inbound',
        ...{ entity_id: otherId, entity_type, name: canonical_name },
        ...(effective_at !== undefined && { effective_at }),
        ...(effective_until !== undefined && { effective_until }),
      };
    }),
    ...(isCut && { relations_truncated: true as const }),
  };
}

export function* listRelationships(db: Reader, input: ListInput, asked: AskedMoment): Work<ListAnswer> {
  const { entity_id, direction, relationship_type, limit, offset, include_ended } = input;
  const view = yield* toView(db, asked, include_ended);
  const types =
    relationship_type === undefined ? undefined : yield* expectTypes(db, [relationship_type], 'relationship_type');
  const root = yield* expectRootIn(db, view, entity_id);
  const selectors = yield* selectEdges(db, view, { rootIds: [root], direction, types });
  const rows = yield* readEdges(db, view, selectors, limit, offset);
  const isAll = offset === 0 && rows.length < limit;
  return {
    relationships: rows.map((row) => toListedEdge(row, include_ended)),
    total: isAll ? rows.length : yield* countShown(db, view, selectors),
    limit,
    offset,
    ...(root !== entity_id && { redirected_from: entity_id }),
  };
}
