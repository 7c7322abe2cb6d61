export const postgresLimits = {
  poolCount: 10,
  /** A new connection costs several round trips and a server process, so recently used ones are kept. */
  poolIdleMs: 60_000,
  connectMs: 10_000,
  /**
   * No transaction of ours waits this long for the program. One that does belongs to a program that hangs, and blocks
   * others.
   */
  idleInTransactionMs: 30_000,
  /** How long to wait for the reply to COMMIT after the deadline of the call. */
  commitGraceMs: 5_000,
  retryCount: 10,
  retryPauseMs: 8,
  retryPauseMaxMs: 100,
  /** Composed queries beyond this number are parsed each time. */
  composedStatementsCount: 200,
  /** Commits within this time share one notification. */
  notifyMs: 10,
  /** Interval of the check on the listening connection, which also finds missed commits. */
  listenCheckMs: 5_000,
  listenRetryMs: 100,
  listenRetryMaxMs: 5_000,
  questionMs: 5_000,
  /** How long a purge waits for transactions that can still read deleted rows. */
  olderReadersMs: 60_000,
  olderReadersPauseMs: 100,
} as const;
