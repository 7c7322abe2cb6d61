/** The bounds of this engine, unit last. */
export const postgresLimits = {
  poolCount: 10,
  /** A new connection costs several round trips and the server a process: those that had work a moment ago are kept. */
  poolIdleMs: 60_000,
  connectMs: 10_000,
  /** A transaction never waits for its own program this long; one that does belongs to a program that hangs, and blocks others. */
  idleInTransactionMs: 30_000,
  /** How long an answer to COMMIT is waited for once the call's own time is up. */
  commitGraceMs: 5_000,
  retryCount: 10,
  retryPauseMs: 8,
  retryPauseMaxMs: 100,
  /** Composed queries beyond this number are parsed anew each time. */
  composedStatementsCount: 200,
  /** Commits this close together share one wake-up of the other processes. */
  notifyMs: 10,
  /** The listening connection is tried this often, and a wake-up that was lost is made up for. */
  listenCheckMs: 5_000,
  listenRetryMs: 100,
  listenRetryMaxMs: 5_000,
  questionMs: 5_000,
} as const;
