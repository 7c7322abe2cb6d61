/** Every bound of the search by meaning, unit last. */
export const meaningLimits = {
  /** Parts of one document that get a vector; what follows is found by words alone. */
  partsCount: 16,
  /** A longer query is cut here: a vector tells the gist of a paragraph. */
  meaningQueryChars: 2_000,
  /** Vectors of queries that are kept, because the next page asks the same again. */
  queryVectorsCount: 256,
  /** Documents that are read, embedded and written together. */
  documentsCount: 64,
  /** Documents that one listing brings when all are embedded anew. */
  listedCount: 500,
  /** Waiting rows that one read brings. */
  waitingRowsCount: 64,
  /** Waiting rows that are counted for somebody who waits for an answer. */
  countedRowsCount: 1_000,
  /** How often it is said how far one is while all documents are embedded. */
  saidEveryCount: 1_000,
  meaningLeaseMs: 30_000,
  /** From a note in a transaction to the first look: whoever writes goes on writing, and many are embedded for the price of one. */
  noteMs: 250,
  /** The second look, for a commit that took longer. */
  noteAgainMs: 1_000,
  /** How often a process looks for what others left behind. */
  lookEveryMs: 30_000,
  /** Who was not heard of for so long is not looked after until he comes back. */
  forgottenMs: 10 * 60_000,
  /** After `provide`: the program starts first. */
  firstLookMs: 5_000,
  /** How soon one asks again for what another process holds. */
  elsewhereMs: 5_000,
  /** The same, where somebody waits for it. */
  settleRetryMs: 25,
  /** The first pause after a failure of the embedder; each further one is twice as long. */
  retryMs: 1_000,
  retryMostMs: 300_000,
  /** How long a search waits for the vector of its query before it goes by words alone. */
  queryWaitMs: 5_000,
  /** How long a search of a process that ends with its answer waits for what was not embedded yet. */
  catchUpMs: 10_000,
  /** How many of each ranking are put together into one. */
  hybridWindowCount: 200,
  meaningStoreDeadlineMs: 30_000,
} as const;
