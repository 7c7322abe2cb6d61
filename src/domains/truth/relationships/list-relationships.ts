import type { Reader, Work } from '#kernel/storage/port.ts';
import { displayNames } from '../entities/entity-names.ts';
import type { AskedMoment } from '../entities/load-entity.ts';
import { truthLimits } from '../truth-limits.ts';
import { findEntitySummaries } from './graph/graph-store.ts';
import { edgesAround } from './graph/walk-related.ts';
import {
  countShown,
  expectRootIn,
  readEdges,
  readEdgesOfEach,
  type ShownEdge,
  selectEdges,
  toView,
} from './read-edges.ts';
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

/** A relationship of one entity, as a person reads it. */
export interface NamedRelation {
  readonly type: string;
  readonly isOutbound: boolean;
  /** The other end. */
  readonly name: string;
  readonly since: string | undefined;
  readonly until: string | undefined;
}

/** The newest relationships of each of a few entities, all with the same statements. Those without are left out. */
export function* listBrieflyOfEach(
  db: Reader,
  entityIds: readonly string[],
  each: number,
  asked: AskedMoment,
): Work<ReadonlyMap<string, readonly NamedRelation[]>> {
  if (entityIds.length === 0) return new Map();
  const view = yield* toView(db, asked);
  const selectors = yield* selectEdges(db, view, { rootIds: entityIds, direction: 'both' });
  const rows = selectors.length === 0 ? [] : yield* readEdgesOfEach(db, view, selectors, each);
  const ofEach = entityIds.map((id) => {
    const own = rows.filter((row) => row.source_root_id === id || row.target_root_id === id).slice(0, each);
    return [id, own.map((row) => ({ row, isOutbound: row.source_root_id === id }))] as const;
  });
  const otherOf = (row: ShownEdge, isOutbound: boolean) => (isOutbound ? row.target_root_id : row.source_root_id);
  const others = ofEach.flatMap(([, own]) => own.map(({ row, isOutbound }) => otherOf(row, isOutbound)));
  const names = yield* displayNames(db, [...new Set(others)]);
  return new Map(
    ofEach.flatMap(([id, own]) => {
      const shown = own.map(({ row, isOutbound }) => {
        const { relationship_type: type, effective_at: since, effective_until: until } = toEdge(row);
        return { type, isOutbound, name: names.get(otherOf(row, isOutbound)) ?? '', since, until };
      });
      return shown.length === 0 ? [] : [[id, shown] as const];
    }),
  );
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
