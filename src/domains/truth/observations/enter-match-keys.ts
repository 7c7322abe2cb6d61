import type { Work, Writer } from '#kernel/storage/port.ts';
import { findShared, insertMatchKeys, insertSharedKeys, type NewMatchKey } from './observation-store.ts';

/**
 * Answers how many were new. Most keys are those of one entity, and cost one row; what is shared is looked for where the
 * new ones have just been put. The lock: of two that bring the same key at once, on PostgreSQL, the second must see the
 * first. It is taken late, because it is held up to the commit.
 */
export function* enterMatchKeys(db: Writer, keys: readonly NewMatchKey[]): Work<number> {
  if (keys.length === 0) return 0;
  yield* db.lock('truth-match-keys');
  const fresh = yield* insertMatchKeys(db, keys);
  yield* insertSharedKeys(db, yield* findShared(db, fresh));
  return fresh.length;
}
