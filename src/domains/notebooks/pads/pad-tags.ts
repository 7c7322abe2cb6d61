import type { Work, Writer } from '#kernel/storage/port.ts';
import {
  deleteEmptyTotals,
  deleteTags,
  insertTags,
  lowerTotals,
  raiseTotals,
  type TagKind,
  type TagOwner,
} from './tag-store.ts';

/** Without duplicates, in the order of first appearance. */
export const uniteTags = (...lists: readonly (readonly string[] | undefined)[]): readonly string[] => [
  ...new Set(lists.flatMap((list) => list ?? [])),
];

export const parseTags = (text: string): string[] => (text === '[]' ? [] : (JSON.parse(text) as string[]));

interface TagChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export function compareTags(before: readonly string[], after: readonly string[]): TagChange {
  const had = new Set(before);
  const has = new Set(after);
  return { added: after.filter((tag) => !had.has(tag)), removed: before.filter((tag) => !has.has(tag)) };
}

export const sharesTag = (tags: readonly string[], wanted: ReadonlySet<string>): boolean =>
  tags.some((tag) => wanted.has(tag));

/** The pad must not have these tags yet. */
export function* addTags(db: Writer, pad: TagOwner, kind: TagKind, tags: readonly string[]): Work<void> {
  // Sorted, so that two writers lock the rows in the same order.
  const sorted = tags.toSorted();
  yield* insertTags(db, pad, kind, sorted);
  yield* raiseTotals(db, pad.namespace_key, kind, sorted);
}

/** The pad must have these tags. */
export function* dropTags(db: Writer, pad: TagOwner, kind: TagKind, tags: readonly string[]): Work<void> {
  if (tags.length === 0) return;
  yield* deleteTags(db, pad.scratch_id, kind, tags);
  yield* lowerTotals(db, pad.namespace_key, kind, tags);
  yield* deleteEmptyTotals(db, pad.namespace_key, kind, tags);
}
