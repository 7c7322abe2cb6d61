import { limits } from '../limits.ts';

const ellipsis = '…';

/** The beginning of a text in one line, cut at the end of a word. */
export function cutBeginning(text: string, chars: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= chars) return line;
  const blank = line.lastIndexOf(' ', chars - ellipsis.length);
  const end = blank > chars / 2 ? blank : chars - ellipsis.length;
  return (
    line
      .slice(0, end)
      .toWellFormed()
      .replace(/\uFFFD$/, '') + ellipsis
  );
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly more: boolean;
  /** Encoded size of the items with their commas. */
  readonly bytes: number;
}

/** The encoded size of a value in an answer. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

/** Chunks of at most this size in total, but of at least one item. */
export function* chunksOfSize<T>(
  items: readonly T[],
  maxSize: number,
  sizeOf: (item: T) => number,
  maxCount = Infinity,
) {
  let chunk: T[] = [];
  let total = 0;
  for (const item of items) {
    const size = sizeOf(item);
    if (chunk.length > 0 && (chunk.length >= maxCount || total + size > maxSize)) {
      yield chunk;
      chunk = [];
      total = 0;
    }
    chunk.push(item);
    total += size;
  }
  if (chunk.length > 0) yield chunk;
}

/**
 * The longest prefix that fits the budget, but at least one item, because a page without items would never end. Reads
 * only what it returns and one item more.
 */
export function fitPage<T>(
  candidates: Iterable<T>,
  budgetBytes: number = limits.pageBytes,
  costOf: (item: T) => number = jsonBytes,
): Page<T> {
  const items: T[] = [];
  let bytes = 0;
  for (const item of candidates) {
    const withItem = bytes + costOf(item) + (items.length === 0 ? 0 : 1);
    if (items.length > 0 && withItem > budgetBytes) return { items, more: true, bytes };
    items.push(item);
    bytes = withItem;
  }
  return { items, more: false, bytes };
}
