import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { truthLimits } from '../truth-limits.ts';
import { listEdgeTypes } from './edge-list-store.ts';
import { type ReachRow, reachDown, reachUp } from './relationship-store.ts';
import { findAcyclic } from './relationship-types/relationship-types.ts';

/** Undefined if the limit was reached without finding it. */
function isReached(row: ReachRow | undefined, limit: number): boolean | undefined {
  if (row === undefined) return false;
  if (row.is_found === 1) return true;
  return row.visited < limit ? false : undefined;
}

export interface VisitLimits {
  readonly firstVisitedCount: number;
  readonly visitedCount: number;
}

/**
 * Whether edges of a type lead from one root to another; `skipsDirect` ignores direct edges between the two. Searches
 * from both ends in turn with growing limits, so that the smaller side decides.
 */
export function* hasPath(
  db: Reader,
  type: string,
  from: string,
  to: string,
  skipsDirect: boolean,
  bounds: VisitLimits = truthLimits,
): Work<boolean> {
  const { firstVisitedCount, visitedCount } = bounds;
  for (let limit: number = firstVisitedCount; ; limit = Math.min(limit * 10, visitedCount)) {
    const down = isReached(yield* reachDown(db, type, from, to, skipsDirect ? to : '', limit), limit);
    if (down !== undefined) return down;
    const up = isReached(yield* reachUp(db, type, to, from, skipsDirect ? from : '', limit), limit);
    if (up !== undefined) return up;
    if (limit === visitedCount) {
      throw faults.RESOURCE_LIMIT(
        { what: `The search for a ${type} cycle`, limit: visitedCount, unit: 'entities' },
        { relationship_type: type },
      );
    }
  }
}

export const closesCycle = (db: Reader, type: string, source: string, target: string): Work<boolean> =>
  hasPath(db, type, target, source, false);

/**
 * The type in which merging two roots would create a cycle. Direct edges between them would become internal, so they do
 * not count.
 */
export function* findCycleOfMerge(db: Reader, a: string, b: string): Work<string | undefined> {
  const leaving = yield* listEdgeTypes(db, ['out'], [a, b]);
  const acyclic = yield* findAcyclic(db, [...new Set(leaving.map(({ relationship_type }) => relationship_type))]);
  for (const { root_id, relationship_type } of leaving) {
    if (!acyclic.has(relationship_type)) continue;
    if (yield* hasPath(db, relationship_type, root_id, root_id === a ? b : a, true)) return relationship_type;
  }
  return undefined;
}
