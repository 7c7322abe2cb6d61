import { foldCase } from '#kernel/text/normalise.ts';
import type { InstructionEntry } from '../entry-model.ts';

export const sortFields = ['createdAt', 'updatedAt', 'priority', 'title'] as const;
export const sortDirections = ['asc', 'desc'] as const;

export interface Sort {
  readonly field: (typeof sortFields)[number];
  readonly direction: (typeof sortDirections)[number];
}

type SortValue = string | number;

/** Where a page ended: what the last entry was sorted by, and its id. */
export interface SortKey {
  readonly value: SortValue;
  readonly id: string;
}

function sortValueOf(entry: InstructionEntry, field: Sort['field']): SortValue {
  if (field === 'priority') return entry.priority;
  // Moments may be written with an offset: text does not sort them.
  return field === 'title' ? foldCase(entry.title) : Date.parse(entry[field]);
}

/** Without a sort the catalog's own order stands: by id. */
export const sortKeyOf = (entry: InstructionEntry, sort: Sort | undefined): SortKey =>
  sort === undefined ? { value: 0, id: entry.id } : { value: sortValueOf(entry, sort.field), id: entry.id };

const compare = (a: SortValue, b: SortValue): number => (a < b ? -1 : a > b ? 1 : 0);

/** By the value in the wanted direction, then by id upwards: no two entries are in the same place. */
const compareKeys = (a: SortKey, b: SortKey, sign: number): number =>
  sign * compare(a.value, b.value) || compare(a.id, b.id);

/** The entries in order, from behind `after` on. An entry that was changed meanwhile stands where it belongs now. */
export function sortEntries(
  entries: readonly InstructionEntry[],
  sort: Sort | undefined,
  after?: SortKey,
): readonly InstructionEntry[] {
  const sign = sort?.direction === 'desc' ? -1 : 1;
  const keyed = entries.map((entry) => ({ entry, key: sortKeyOf(entry, sort) }));
  const left = after === undefined ? keyed : keyed.filter(({ key }) => compareKeys(key, after, sign) > 0);
  if (sort !== undefined) left.sort((a, b) => compareKeys(a.key, b.key, sign));
  return left.map(({ entry }) => entry);
}
