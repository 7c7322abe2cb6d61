import type { ScrubProgress } from '#kernel/jobs/scrub.ts';

/** How far the background check of all items is, and what it has found. */
export function scrubMetrics(progress: () => ScrubProgress) {
  const value = (key: keyof ScrubProgress) => () => new Map([['', progress()[key]]]);
  return [
    {
      name: 'fourfold_damaged_items',
      help: 'Items that do not match their hash, according to the background check of this process.',
      kind: 'gauge',
      read: value('damagedCount'),
    },
    {
      name: 'fourfold_scrub_rows',
      help: 'Rows that the current pass of the background check has compared with their hashes.',
      kind: 'gauge',
      read: value('rowsCount'),
    },
    {
      name: 'fourfold_scrub_passes_total',
      help: 'Complete passes of the background check in this process.',
      kind: 'counter',
      read: value('passesCount'),
    },
  ] as const;
}
