import type { Reader, Work } from '#kernel/storage/port.ts';
import { expectRootIds } from '../entities/load-entity.ts';
import { truthLimits } from '../truth-limits.ts';
import { type RelationshipType, relationshipTypes } from '../truth-vocabulary.ts';
import { type Direction, type ListAnswer, type ListInput, toEdge } from './relationship-model.ts';
import { countEdges, type EdgeSelector, listEdges } from './relationship-store.ts';

const sidesOf: Readonly<Record<Direction, readonly EdgeSelector['side'][]>> = {
  outbound: ['out'],
  inbound: ['in'],
  both: ['out', 'in'],
};

export const toSelectors = (
  rootIds: readonly string[],
  direction: Direction,
  types: readonly RelationshipType[] = relationshipTypes,
): readonly EdgeSelector[] =>
  rootIds.flatMap((rootId) => sidesOf[direction].flatMap((side) => types.map((type) => ({ rootId, side, type }))));

export function* listRelationships(db: Reader, input: ListInput): Work<ListAnswer> {
  const { entity_id, direction, relationship_type, limit, offset } = input;
  const root = (yield* expectRootIds(db, { entity_id })).entity_id;
  const selectors = toSelectors(
    [root],
    direction,
    relationship_type === undefined ? relationshipTypes : [relationship_type],
  );
  const rows = yield* listEdges(db, selectors, limit, offset);
  const isAll = offset === 0 && rows.length < limit;
  const total = isAll ? rows.length : ((yield* countEdges(db, selectors, truthLimits.countedCount))?.count ?? 0);
  return {
    relationships: rows.map(toEdge),
    total,
    limit,
    offset,
    ...(root !== entity_id && { redirected_from: entity_id }),
  };
}
