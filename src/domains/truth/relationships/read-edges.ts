import type { Reader, Work } from '#kernel/storage/port.ts';
import { chunksOf } from '../chunks.ts';
import { findRoots } from '../entities/entity-store.ts';
import { type AskedMoment, expectRootIds } from '../entities/load-entity.ts';
import { truthLimits } from '../truth-limits.ts';
import {
  countEdges,
  type EdgeSelector,
  type EdgeTypeRow,
  type EdgeView,
  findLastCommit,
  listEdges,
  listEdgeTypes,
  phasesOf,
} from './edge-list-store.ts';
import { membersKnownAt, rootsKnownAt } from './past-group-store.ts';
import type { Direction } from './relationship-model.ts';
import type { EdgeRow } from './relationship-store.ts';
import { choosePeriod, periodAt, type SourcedPeriod, toPeriod } from './statements/periods.ts';
import { listNewestPeriods, listPeriodsAt } from './statements/statement-store.ts';

/** Without `at` it is the present: what was recorded holds already, even if this machine's clock is behind. */
export function* toView(db: Reader, { at, asKnownAt }: AskedMoment, withEnded = false): Work<EdgeView> {
  const present = at === undefined ? Math.max(db.now, (yield* findLastCommit(db))?.at ?? 0) : at;
  return { at: present, isNow: at === undefined, knownAt: asKnownAt, withEnded };
}

/** The root of an entity, as known at the time of the view. */
export function* expectRootIn(db: Reader, view: EdgeView, entityId: string): Work<string> {
  const { entity_id: root } = yield* expectRootIds(db, { entity_id: entityId });
  return view.knownAt === undefined ? root : (yield* rootsKnownAt(db, [entityId], view.knownAt)).get(entityId)!;
}

const sidesOf: Readonly<Record<Direction, readonly EdgeSelector['side'][]>> = {
  outbound: ['out'],
  inbound: ['in'],
  both: ['out', 'in'],
};

export interface EdgeQuery {
  readonly rootIds: readonly string[];
  readonly direction: Direction;
  /** Undefined: all. */
  readonly types?: readonly string[] | undefined;
}

/** Edges belong to the roots of now; in the past their groups may have had other members. */
function* ownersOf(db: Reader, { knownAt }: EdgeView, rootIds: readonly string[]) {
  if (knownAt === undefined) return rootIds.map((rootId) => ({ rootId }));
  const groups = yield* membersKnownAt(db, rootIds, knownAt);
  const roots = yield* findRoots(db, [...groups.values()].flat());
  const rootOf = new Map(roots.map(({ entity_id, root_id }) => [entity_id, root_id]));
  return [...groups.values()].flatMap((members) =>
    [...new Set(members.flatMap((member) => rootOf.get(member) ?? []))].map((rootId) => ({ rootId, members })),
  );
}

export function* selectEdges(db: Reader, view: EdgeView, query: EdgeQuery): Work<readonly EdgeSelector[]> {
  const { rootIds, direction, types } = query;
  const owners = yield* ownersOf(db, view, rootIds);
  const sides = sidesOf[direction];
  const ids = [...new Set(owners.map(({ rootId }) => rootId))];
  const found: readonly EdgeTypeRow[] =
    types === undefined
      ? yield* listEdgeTypes(db, sides, ids)
      : ids.flatMap((root_id) =>
          sides.flatMap((side) => types.map((relationship_type) => ({ root_id, side, relationship_type }))),
        );
  const byRoot = Map.groupBy(found, ({ root_id }) => root_id);
  return owners.flatMap((owner) =>
    (byRoot.get(owner.rootId) ?? []).flatMap(({ side, relationship_type }) =>
      phasesOf(view).map((phase) => ({ ...owner, side, type: relationship_type, phase })),
    ),
  );
}

/** An edge with the period and the roots of a view. */
export interface ShownEdge extends EdgeRow {
  readonly holds: boolean;
  /** Newest first; only in a view with ended edges, and only if there are several. */
  readonly periods?: readonly SourcedPeriod[];
}

function* withRoots(db: Reader, { knownAt }: EdgeView, rows: readonly ShownEdge[]): Work<readonly ShownEdge[]> {
  if (knownAt === undefined || rows.length === 0) return rows;
  const ends = rows.flatMap(({ source_entity_id, target_entity_id }) => [source_entity_id, target_entity_id]);
  const rootOf = yield* rootsKnownAt(db, ends, knownAt);
  return rows.map((row) => ({
    ...row,
    source_root_id: rootOf.get(row.source_entity_id)!,
    target_root_id: rootOf.get(row.target_entity_id)!,
  }));
}

/** Replaces the period of each row by that of the view, where the row does not have it. */
function* withPeriods(db: Reader, view: EdgeView, rows: readonly EdgeRow[]): Work<readonly ShownEdge[]> {
  const { at, isNow, knownAt = Number.MAX_SAFE_INTEGER, withEnded } = view;
  const isFresh = ({ next_change_at }: EdgeRow): boolean =>
    isNow && view.knownAt === undefined && !withEnded && (next_change_at === null || next_change_at > at);
  const ids = rows.filter((row) => !isFresh(row)).map(({ relationship_id }) => relationship_id);
  const found = [];
  if (withEnded) {
    for (const chunk of chunksOf(ids, truthLimits.subqueriesCount)) {
      found.push(...(yield* listNewestPeriods(db, chunk, knownAt, truthLimits.periodsCount)));
    }
  } else if (ids.length > 0) found.push(...(yield* listPeriodsAt(db, ids, at, knownAt)));
  const byEdge = Map.groupBy(found, ({ relationship_id }) => relationship_id);
  return rows.map((row) => {
    const periods = byEdge.get(row.relationship_id) ?? [];
    if (periods.length === 0) return { ...row, holds: true };
    const current = periodAt(periods, at);
    const sorted = periods.map(toPeriod).sort((a, b) => b.effective_at - a.effective_at);
    return {
      ...row,
      ...toPeriod(current ?? choosePeriod(periods, at)),
      holds: current !== undefined,
      ...(withEnded && sorted.length > 1 && { periods: sorted }),
    };
  });
}

function* showEdges(db: Reader, view: EdgeView, rows: readonly EdgeRow[]): Work<readonly ShownEdge[]> {
  return yield* withRoots(db, view, yield* withPeriods(db, view, rows));
}

export function newestFirst(a: EdgeRow, b: EdgeRow): number {
  if (a.created_at !== b.created_at) return b.created_at - a.created_at;
  return a.relationship_id < b.relationship_id ? -1 : 1;
}

/** Newest first, each once; several selectors per statement. */
export function* readEdges(
  db: Reader,
  view: EdgeView,
  selectors: readonly EdgeSelector[],
  limit: number,
  offset = 0,
): Work<readonly ShownEdge[]> {
  const chunks = chunksOf(selectors, truthLimits.subqueriesCount);
  if (chunks.length === 0) return [];
  if (chunks.length === 1) return yield* showEdges(db, view, yield* listEdges(db, selectors, view, limit, offset));
  const found = new Map<string, EdgeRow>();
  for (const chunk of chunks) {
    for (const row of yield* listEdges(db, chunk, view, limit + offset)) found.set(row.relationship_id, row);
  }
  return yield* showEdges(db, view, [...found.values()].sort(newestFirst).slice(offset, offset + limit));
}

/** The newest of each selector, so that an entity with many edges does not hide those of others. */
export function* readEdgesOfEach(
  db: Reader,
  view: EdgeView,
  selectors: readonly EdgeSelector[],
  each: number,
): Work<readonly ShownEdge[]> {
  const found = new Map<string, EdgeRow>();
  for (const some of chunksOf(selectors, truthLimits.subqueriesCount)) {
    for (const row of yield* listEdges(db, some, view, some.length * each, 0, each))
      found.set(row.relationship_id, row);
  }
  return yield* showEdges(db, view, [...found.values()].sort(newestFirst));
}

export function* countShown(db: Reader, view: EdgeView, selectors: readonly EdgeSelector[]): Work<number> {
  const { countedCount, subqueriesCount } = truthLimits;
  let count = 0;
  for (const chunk of chunksOf(selectors, subqueriesCount)) {
    if (count < countedCount) count += (yield* countEdges(db, chunk, view, countedCount - count))?.count ?? 0;
  }
  return count;
}
