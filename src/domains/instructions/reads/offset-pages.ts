import { fitPage, jsonBytes } from '#kernel/text/budget.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';

export interface OffsetPage<T> {
  readonly items: readonly T[];
  readonly truncated?: true;
  readonly nextOffset?: number;
}

const measuredBytes = new WeakMap<InstructionEntry, number>();
/** What `usageCount` and `lastUsedAt` add. */
const usageBytes = 80;

/** Lists share entry objects, so each is measured once. */
export function entryBytes(entry: InstructionEntry): number {
  let bytes = measuredBytes.get(entry);
  if (bytes === undefined) {
    bytes = jsonBytes(entry) + usageBytes;
    measuredBytes.set(entry, bytes);
  }
  return bytes;
}

export interface OffsetWindow {
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

/** Binary search, in a list sorted by id. All entries if no id is given. */
export function entriesAfter(
  entries: readonly InstructionEntry[],
  id: string | undefined,
): readonly InstructionEntry[] {
  if (id === undefined) return entries;
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (entries[middle]!.id <= id) low = middle + 1;
    else high = middle;
  }
  return entries.slice(low);
}

/** The requested part of a list, cut at the size of an answer. */
export function fitOffsetPage<T>(
  all: readonly T[],
  { offset = 0, limit }: OffsetWindow,
  costOf: (item: T) => number,
  budgetBytes: number = instructionLimits.wholeAnswerBytes,
): OffsetPage<T> {
  const end = limit === undefined ? all.length : Math.min(all.length, offset + limit);
  const asked = offset === 0 && end === all.length ? all : all.slice(offset, end);
  const { items, more } = fitPage(asked, budgetBytes, costOf);
  return more ? { items, truncated: true, nextOffset: offset + items.length } : { items };
}
