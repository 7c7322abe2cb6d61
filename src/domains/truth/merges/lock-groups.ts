import type { Work, Writer } from '#kernel/storage/port.ts';
import { lockEdges } from '../relationships/lock-edges.ts';
import { relationshipTypes } from '../words.ts';

/**
 * Who is merged into whom stands still up to the commit, and so do all edges: two merges at once make no ring, and no edge
 * is made towards a root that is none any more. Taken before any row, so that nobody waits for it who holds one.
 */
export function* lockGroups(db: Writer): Work<void> {
  yield* db.lock('truth-groups');
  yield* lockEdges(db, relationshipTypes);
}
