export const observeLimits = {
  /** Sizes of statements with many rows that are kept prepared, for each statement. */
  statementSizesCount: 16,
  /** What one observation can be found by, and its events: as many as a schema has fields, however long their arrays are. */
  identifiersCount: 200,
  eventsCount: 200,
} as const;
