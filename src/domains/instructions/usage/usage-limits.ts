export const usageLimits = {
  /** Increments of one instruction in one second; more are answered with `rateLimited`. */
  incrementsPerSecondCount: 10,
  eventsCount: 100,
  commentChars: 256,
  contextChars: 200,
  /** Longer than any id can be: what does not exist is answered with `notFound`, whatever it looks like. */
  askedIdChars: 200,
  hotsetCount: 100,
  hotsetDefaultCount: 10,
  /** Counts held in memory; more than so many are asked for anew. */
  keptCountsCount: 20_000,
  /** Rows of instructions that are gone, deleted in one write. */
  pruneRowsCount: 400,
} as const;
