import type { Reader, Work } from '#kernel/storage/port.ts';
import type { AskedMoment } from '../entities/load-entity.ts';
import { countShown, expectRootIn, readEdges, selectEdges, toView } from './read-edges.ts';
import { type ListAnswer, type ListInput, toListedEdge } from './relationship-model.ts';
import { expectTypes } from './relationship-types/relationship-types.ts';

export function* listRelationships(db: Reader, input: ListInput, asked: AskedMoment): Work<ListAnswer> {
  const { entity_id, direction, relationship_type, limit, offset, include_ended } = input;
  const view = toView(asked, db.now, include_ended);
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
