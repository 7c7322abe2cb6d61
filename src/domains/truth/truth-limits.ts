export const truthLimits = {
  /** Of a payload's body as JSON. */
  bodyBytes: 1024 * 1024,
  bodyDepth: 32,
  /** How far the clock of whoever observed something may be ahead of ours. */
  aheadMs: 86_400_000,
  listDefaultCount: 100,
  listCount: 1_000,
  offsetCount: 100_000,
  /** A list that is filtered is counted up to here. */
  countedCount: 100_000,
  /** Entities that one payload may speak of: each leaves an audit row, and one write has a bounded number of statements. */
  payloadEntitiesCount: 200,
  nameChars: 1_000,
} as const;
