export const searchLimits = {
  // search
  /** Text of one document beyond this is kept by its domain but not indexed. */
  documentChars: 256 * 1024,
  /** A longer query is cut here, and the answer says so. */
  queryChars: 10_000,
  /** Words of a query beyond these are left out, and the answer says how many. */
  queryTermsCount: 64,
  hitsCount: 1_000,
  /** A shorter `word*` is taken as the word. */
  prefixChars: 2,
  /** Shorter queries have no substring matches: they would match everything. */
  substringChars: 2,
  hintsCount: 5,
  snippetChars: 160,
  /** How far into a field a highlight is looked for. */
  highlightChars: 128 * 1024,
  stemCacheCount: 50_000,
  /** Changes that were written and not yet merged, after which a merge is due. */
  tailEntriesCount: 1_000,
  tailBytes: 4 * 1024 * 1024,
  /** Rows of the tail that one statement fetches or removes. */
  tailPageCount: 100,
  /** Such pages that one read transaction fetches. */
  tailPagesCount: 50,
  /** Documents that are indexed into one segment before any merge. */
  segmentBatchCount: 2_000,
  /** Segments of one size that become one. */
  mergeWidthCount: 8,
  /** The lowest level of sizes; smaller segments count as this. */
  smallestSegmentBytes: 256 * 1024,
  /** No merge makes a larger segment. */
  largestSegmentBytes: 48 * 1024 * 1024,
  /** What one write puts into the store of a segment: about a millisecond under the lock. */
  chunkBytes: 512 * 1024,
  /** What a collection counts for in memory even when it is empty. */
  emptyIndexBytes: 8 * 1024,
  /** What all collections of all tenants may hold in memory between two searches; only the last one may be larger. */
  cacheBytes: 128 * 1024 * 1024,
  /** How long merging may keep the event loop before others get their turn. */
  sliceMs: 4,
  leaseMs: 60_000,
  /** How often a rebuild asks again for the lease that another process holds. */
  leaseRetryMs: 50,
  /** A background merge that failed, or that another process does, is not tried again before this. */
  mergeRetryMs: 5_000,
  /** What the index asks of the store for itself. */
  storeDeadlineMs: 30_000,
  /** How long a segment that was replaced stays readable for a search that began before. */
  droppedMs: 60_000,
  /** A segment whose writer vanished is swept after this. */
  buildingMs: 10 * 60_000,

  // meaning
  /** Parts of one document that get a vector; what follows is found by words alone. */
  partsCount: 16,
  /** A longer query is cut here: a vector tells the gist of a paragraph. */
  semanticQueryChars: 2_000,
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
  embeddingLeaseMs: 30_000,
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
  embeddingStoreDeadlineMs: 30_000,

  // vector
  /** What all vectors of all tenants may hold in memory between two searches; only the last collection may be larger. */
  vectorCacheBytes: 256 * 1024 * 1024,
  /** The piece in which memory is given to a collection, and taken back. */
  vectorBlockBytes: 64 * 1024,
  /** A WASM memory ends at 4 GiB; what is not there for rows is the query and the results of one block. */
  vectorMemoryBytes: 4 * 1024 * 1024 * 1024 - 64 * 1024,
  /** What a document counts for in memory beside its numbers: its id, its places, its facets. */
  vectorDocumentBytes: 300,
  /** Numbers of one vector: no known model has more. */
  vectorNumbersCount: 8_192,
  /** Rows that one read brings: about a millisecond. */
  vectorPageCount: 500,
  vectorHitsCount: 1_000,
  /** How many more than asked for are looked at a second time, with the whole precision of the query. */
  vectorSpareCount: 32,
  /** Notes about documents that lost their vectors, above which the older half is swept. */
  vectorGoneCount: 5_000,
} as const;

/** The bounds that a test makes small. */
export interface Tuning {
  readonly tailEntriesCount: number;
  readonly tailBytes: number;
  readonly mergeWidthCount: number;
  readonly smallestSegmentBytes: number;
  readonly largestSegmentBytes: number;
  readonly chunkBytes: number;
  readonly cacheBytes: number;
  readonly segmentBatchCount: number;
}

export const defaultTuning: Tuning = {
  tailEntriesCount: searchLimits.tailEntriesCount,
  tailBytes: searchLimits.tailBytes,
  mergeWidthCount: searchLimits.mergeWidthCount,
  smallestSegmentBytes: searchLimits.smallestSegmentBytes,
  largestSegmentBytes: searchLimits.largestSegmentBytes,
  chunkBytes: searchLimits.chunkBytes,
  cacheBytes: searchLimits.cacheBytes,
  segmentBatchCount: searchLimits.segmentBatchCount,
};
