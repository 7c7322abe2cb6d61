import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { truthLimits } from '../truth-limits.ts';
import { acyclicTypes, type RelationshipType } from '../truth-vocabulary.ts';
import { countEdges, type ReachRow, reachDown, reachUp } from './relationship-store.ts';

/** undefined: there are more than were visited, and it is not among them. */
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
 * Whether a type's edges lead from one root to another; `skipsDirect` leaves the edges between the two themselves out.
 * Both ends are searched in turn, each time further, so the side that has less behind it decides.
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
        { what: `The search for a cycle of ${type}`, limit: visitedCount, unit: 'entities' },
        { relationship_type: type },
      );
    }
  }
}

/** Whether an edge from `source` to `target` would close a circle. */
export const closesCycle = (db: Reader, type: RelationshipType, source: string, target: string): Work<boolean> =>
  hasPath(db, type, target, source, false);

/**
 * The type in which two roots would lie on a circle if they were one, if any. Edges from one to the other would lie inside
 * the group and lead nowhere.
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
