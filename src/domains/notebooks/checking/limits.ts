export const checkLimits = {
  /** Findings a cell; what goes beyond is counted. */
  checkErrorsCount: 50,
  checkWarningsCount: 50,
  /** Cells that travel to a process together: copying them holds up the event loop for as long as they are large. */
  checkBatchChars: 1024 * 1024,
  checkBatchCount: 64,
  /** Processes that one tenant's checks may hold at a time, of those that the pool has. */
  checkPerTenantCount: 2,
  checkWaitingPerTenantCount: 256,
  checkThreadsCount: 4,
  checkHeapMb: 512,
  /** What the grammars of one process may take beside its heap. */
  checkGrammarsMb: 384,
  /** All that one process may take; the two above are seldom large at once. */
  checkMemoryMb: 896,
  schemaBytes: 1024 * 1024,
  schemaDepth: 256,
  /** The values of a document that a schema is applied to: each costs the library a few hundred bytes. */
  documentValuesCount: 300_000,
  yamlAliasCount: 100,
  /** A tree of JavaScript takes two hundred times its text; beyond this it would not fit and only take its time. */
  scriptChars: 2 * 1024 * 1024,
  /** Children of one broken node, statements of one block: above it only the first finding is told apart. */
  brokenChildrenCount: 10_000,
  indentsChars: 1024 * 1024,
} as const;
