import type { Work, Writer } from '#kernel/storage/port.ts';
import { type MemberRow, setRoot } from './merge-store.ts';

/**
 * What lies below an entity gets another root. The deepest first: whoever observes takes rows from below as well, so
 * neither waits for the other in a ring.
 */
export function* moveMembers(db: Writer, members: readonly MemberRow[], rootId: string): Work<void> {
  const byDepth = Map.groupBy(members, ({ depth }) => depth);
  for (const depth of [...byDepth.keys()].sort((a, b) => b - a)) {
    if (depth === 0) continue;
    yield* setRoot(
      db,
      byDepth.get(depth)!.map(({ entity_id }) => entity_id),
      rootId,
    );
  }
}
