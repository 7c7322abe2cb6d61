import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { truthLimits } from '../truth-limits.ts';
import { acyclicTypes, type RelationshipType } from '../truth-vocabulary.ts';
import { countEdges, type ReachRow, reachDown, reachUp } from './relationship-store.ts';

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
  type: RelationshipType,
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

export const closesCycle = (db: Reader, type: RelationshipType, source: string, target: string): Work<boolean> =>
  hasPath(db, type, target, source, false);

/**
 * The type in which merging two roots would create a cycle. Direct edges between them would become internal, so they do
 * not count.
 */
export function* findCycleOfMerge(db: Reader, a: string, b: string): Work<RelationshipType | undefined> {
  for (const type of acyclicTypes) {
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      const leaves = yield* countEdges(db, [{ rootId: from, side: 'out', type }], 1);
      if (leaves?.count !== 1) continue;
      if (yield* hasPath(db, type, from, to, true)) return type;
    }
  }
  return undefined;
}
