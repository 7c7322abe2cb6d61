/** Every bound of the program, unit last. A number that limits something and is not here is a defect. */
export const limits = {
  messageBytes: 16 * 1024 * 1024,
  messageDepth: 64,
  /** Parsing and checking more of them would hold the event loop. */
  messageValuesCount: 60_000,
  /** The arguments of a call with more values are checked in a turn of their own. */
  largeValuesCount: 2_000,
  answerBytes: 8 * 1024 * 1024,
  /** A fault stays below 64 KiB. Some families repeat the message, and escaping takes up to seven bytes per character. */
  faultMessageChars: 2_000,
  faultFixChars: 600,
  /** As escaped in an MCP answer. */
  faultDetailsBytes: 32 * 1024,
  /** Of a JSON-RPC request, because its answer repeats it. */
  requestIdChars: 200,
  /** Violations of an input schema that a fault lists. */
  paramErrorsCount: 20,
  /** Lists and searches keep to this and give a cursor. */
  pageBytes: 8 * 1024,
  /** Above this the text block of a tool result is one line and structuredContent holds the data. */
  textTwinBytes: 1024 * 1024,
  /** JSON of answers that are requested repeatedly, over all tenants. */
  cachedAnswersChars: 16_000_000,
  listedToolsCount: 20,
  listedToolsBytes: 12 * 1024,
  callDeadlineMs: 60_000,
  writeStatementsCount: 500,
  /** A write that holds the lock for longer than this is reported as a bug in the log. */
  writeHoldMs: 20,
  busyRetryMs: 8,
  idempotencyKeyChars: 200,
  idempotencyKeyDays: 7,
  idempotencyKeysCount: 100_000,
  trashDays: 30,
  auditPageCount: 500,
  /** Rows that one search of the audit trail reads. */
  auditExaminedCount: 10_000,
  checkpointEveryMs: 60_000,
  /** The doctor warns about rows that have had no checkpoint for so long. */
  checkpointLateMs: 600_000,
  httpSessionsCount: 1_000,
  httpSessionIdleMs: 30 * 60_000,
  shutdownMs: 5_000,
  stdinEndMs: 1_000,
} as const;
