import type { InstructionEntry } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';

export interface FacetValue {
  readonly value: string;
  readonly count: number;
}

const facetsOf = {
  status: ({ status }) => [status],
  owner: ({ owner }) => [owner],
  priorityTier: ({ priorityTier }) => [priorityTier],
  requirement: ({ requirement }) => [requirement],
  categories: ({ categories }) => categories,
} as const satisfies Readonly<Record<string, (entry: InstructionEntry) => readonly string[]>>;

export const facetNames = Object.keys(facetsOf) as readonly (keyof typeof facetsOf)[];
export type Facets = Readonly<Record<keyof typeof facetsOf, readonly FacetValue[]>>;

/** Counts the values of entries, batch by batch. The most frequent values come first. */
export function createFacetCounts() {
  const counts = facetNames.map((name) => ({ name, byValue: new Map<string, number>() }));
  return {
    add(entries: readonly InstructionEntry[]): void {
      for (const { name, byValue } of counts) {
        for (const entry of entries) {
          for (const value of facetsOf[name](entry)) byValue.set(value, (byValue.get(value) ?? 0) + 1);
        }
      }
    },
    result: (): Facets =>
      Object.fromEntries(
        counts.map(({ name, byValue }) => [
          name,
          [...byValue]
            .map(([value, count]) => ({ value, count }))
            .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
            .slice(0, instructionLimits.reportItemsCount),
        ]),
      ) as unknown as Facets,
  };
}
