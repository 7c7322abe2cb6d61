import type { Total } from './observation-store.ts';

/** Kinds of `truth_totals`. Entities: roots per type. Events: per event type. */
export const payloadsTotal = 'payloads';
export const observationsTotal = 'observations';
export const entitiesTotal = 'entities';
export const eventsTotal = 'events';

/** Rows are sorted by key, so that all writers lock them in the same order. */
export interface Tally {
  add(kind: string, key: string, count?: number): void;
  rows(): readonly Total[];
}

export function createTally(): Tally {
  const counts = new Map<string, { kind: string; key: string; count: number }>();
  return {
    add(kind, key, count = 1) {
      const place = `${kind}\u001f${key}`;
      const known = counts.get(place);
      if (known === undefined) counts.set(place, { kind, key, count });
      else known.count += count;
    },
    rows: () =>
      [...counts.entries()]
        .filter(([, total]) => total.count !== 0)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, total]) => total),
  };
}
