export const plaidLimits = {
  /** Plaid's maximum. */
  pageTransactionsCount: 500,
  /** Of one sync; a longer one continues with the next call. Plaid delivers at most two years. */
  pagesCount: 400,
  /** After changes during the paging, which Plaid reports. */
  restartsCount: 3,
  /** Payloads per write, so that other calls are not kept waiting. */
  payloadBatchCount: 100,
  itemsCount: 500,
  answerBytes: 16 * 1024 * 1024,
  requestTimeoutMs: 30_000,
  triesCount: 3,
  retryMs: 500,
  /** A longer Retry-After fails the call and is passed on to the caller. */
  retryAfterMaxMs: 20_000,
  leaseMs: 5_000,
  idChars: 200,
  cursorChars: 1_000,
  textChars: 1_000,
  clientNameChars: 30,
  productsCount: 30,
  accountsCount: 1_000,
  exchangeDeadlineMs: 300_000,
} as const;
