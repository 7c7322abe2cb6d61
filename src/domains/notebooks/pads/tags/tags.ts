import type { Work, Writer } from '#kernel/storage/port.ts';
import { notebookLimits } from '../../notebook-limits.ts';
import {
  deleteEmptyTotals,
  deleteTags,
  insertTags,
  lowerTotals,
  raiseTotals,
  type TagKind,
  type TagPlace,
  tagValuesCount,
} from './tag-store.ts';

const rowsCount = Math.floor(notebookLimits.insertValuesCount / tagValuesCount);

/** Tags that the pad did not have. */
export function* addTags(db: Writer, pad: TagPlace, kind: TagKind, tags: readonly string[]): Work<void> {
  // In one order, so that two writers never wait for each other's rows crosswise.
  const sorted = tags.toSorted();
  for (let at = 0; at < sorted.length; at += rowsCount) {
    const part = sorted.slice(at, at + rowsCount);
    yield* insertTags(db, pad, kind, part);
    yield* raiseTotals(db, pad.namespace_key, kind, part);
  }
}

/** Tags that the pad had. */
export function* dropTags(db: Writer, pad: TagPlace, kind: TagKind, tags: readonly string[]): Work<void> {
  if (tags.length === 0) return;
  yield* deleteTags(db, pad.scratch_id, kind, tags);
  yield* lowerTotals(db, pad.namespace_key, kind, tags);
  yield* deleteEmptyTotals(db, pad.namespace_key, kind, tags);
}
