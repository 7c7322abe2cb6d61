export const writesLimits = {
  importEntriesCount: 10_000,
  /** Entries in one commit: durable together or not at all. */
  importBatchCount: 100,
  removeIdsCount: 10_000,
  /** More than this in one call need `confirm`. */
  removeUnconfirmedCount: 10,
  restoreIdsCount: 1_000,
  archivePageCount: 100,
  previewChars: 200,
  /** Work over the whole catalog, or over thousands of entries that are sent at once. */
  bulkDeadlineMs: 600_000,
  /** Work before other calls get their turn. */
  turnMs: 5,
  /** How often an entry may be changed under a write before it gives up. */
  conflictRetriesCount: 3,
} as const;
