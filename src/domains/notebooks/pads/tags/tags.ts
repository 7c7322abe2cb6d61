import type { Work, Writer } from '#kernel/storage/port.ts';
import {
  deleteEmptyTotals,
  deleteTags,
  insertTags,
  lowerTotals,
  raiseTotals,
  type TagKind,
  type TagPlace,
} from './tag-store.ts';

/** Tags that the pad did not have. */
export function* addTags(db: Writer, pad: TagPlace, kind: TagKind, tags: readonly string[]): Work<void> {
  // In one order, so that two writers never wait for each other's rows crosswise.
  const sorted = tags.toSorted();
  yield* insertTags(db, pad, kind, sorted);
  yield* raiseTotals(db, pad.namespace_key, kind, sorted);
}

/** Tags that the pad had. */
export function* dropTags(db: Writer, pad: TagPlace, kind: TagKind, tags: readonly string[]): Work<void> {
  if (tags.length === 0) return;
  yield* deleteTags(db, pad.scratch_id, kind, tags);
  yield* lowerTotals(db, pad.namespace_key, kind, tags);
  yield* deleteEmptyTotals(db, pad.namespace_key, kind, tags);
}
