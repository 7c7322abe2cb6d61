import { totalmem } from 'node:os';

export const searchLimits = {
  /** Rows of pending documents that are read to find one that was forgotten. */
  withdrawnRowsCount: 100_000,
  // keyword search
  /** The text of a document beyond this is not indexed. */
  documentChars: 256 * 1024,
  /** A longer query is cut here, and the answer says so. */
  queryChars: 10_000,
  /** Further words of a query are ignored, and the answer says how many. */
  queryTermsCount: 64,
  hitsCount: 1_000,
  /** A shorter `word*` is treated as the word. */
  prefixChars: 2,
  /** Shorter queries get no substring matches: they would match everything. */
  substringChars: 2,
  /** For `commonDocsMin` of a query. */
  commonDocsCount: 5_000,
  hintsCount: 5,
  snippetChars: 160,
  /** How far into a field highlights are searched. */
  highlightChars: 128 * 1024,
  stemCacheCount: 50_000,
  /** Unmerged changes after which a merge is due. */
  tailEntriesCount: 1_000,
  tailBytes: 4 * 1024 * 1024,
  /** Rows of the tail that one statement reads or deletes. */
  tailPageCount: 100,
  /** Pages that one read transaction fetches. */
  tailPagesCount: 5,
  /** Documents of the tail that are indexed into one segment before any merge. */
  segmentBatchCount: 2_000,
  /** The same for a rebuild, which ends a segment at one of both. */
  rebuiltBatchCount: 20_000,
  rebuiltBatchChars: 8 * 1024 * 1024,
  /** Segments of one level that are merged into one. */
  mergeWidthCount: 8,
  /** The lowest size level; smaller segments count as this. */
  smallestSegmentBytes: 256 * 1024,
  /** No merge creates a larger segment. */
  largestSegmentBytes: 48 * 1024 * 1024,
  /** What one write stores of a segment: about a millisecond under the lock. */
  chunkBytes: 512 * 1024,
  /** The size of an empty collection in the cache. */
  emptyIndexBytes: 8 * 1024,
  /**
   * The cache of all collections of all tenants: a share of the memory of the machine, between two limits. Only the last
   * used one may exceed it. `recall` searches all memories: if their indexes do not fit, each call reads them again.
   */
  cacheMemoryRatio: 1 / 8,
  cacheLeastBytes: 128 * 1024 * 1024,
  cacheMostBytes: 512 * 1024 * 1024,
  /** How long merging may block the event loop. */
  sliceMs: 4,
  /** Documents that are looked up before the next check of the time. */
  hiddenBatchCount: 200,
  leaseMs: 60_000,
  /** How often a rebuild retries a lease held by another process. */
  leaseRetryMs: 50,
  /** Delay before a failed background merge, or one leased elsewhere, is retried. */
  mergeRetryMs: 5_000,
  /** Deadline of the index's own calls. */
  storeDeadlineMs: 30_000,
  /** How long a replaced segment stays readable for searches that began before. */
  droppedMs: 60_000,
  /** A segment whose writer vanished is swept after this. */
  buildingMs: 10 * 60_000,

  // semantic search
  /** Parts of one document that get a vector; the rest is found by keyword search only. */
  partsCount: 16,
  /** A longer query is cut here: a vector represents about a paragraph. */
  semanticQueryChars: 2_000,
  /** Cached query vectors: the next page has the same query. */
  queryVectorsCount: 256,
  /** Documents that are read, embedded and written together. */
  documentsCount: 64,
  /** Ids per page when all documents are listed. */
  listedCount: 500,
  /** Pending rows per read. */
  waitingRowsCount: 64,
  /** Pending rows that are counted for an answer. */
  countedRowsCount: 1_000,
  /** A progress line is logged after this many documents. */
  saidEveryCount: 1_000,
  embeddingLeaseMs: 30_000,
  /** Delay from a write to its embedding: writes come in bursts, and a batch costs as much as one. */
  noteMs: 250,
  /** A second check, for a commit that took longer. */
  noteAgainMs: 1_000,
  /** How often a process checks for work that others left behind. */
  lookEveryMs: 30_000,
  /** A tenant without activity for this long is not checked until it returns. */
  forgottenMs: 10 * 60_000,
  /** Delay after `provide`, so that the program starts first. */
  firstLookMs: 5_000,
  /** Retry interval for a collection leased by another process. */
  elsewhereMs: 5_000,
  /** The same, while a caller waits for it. */
  settleRetryMs: 25,
  /** The first pause after a failure of the embedder; it doubles each time. */
  retryMs: 1_000,
  retryMostMs: 300_000,
  /** How long a search waits for its query vector before it falls back to keyword search. */
  queryWaitMs: 5_000,
  /** How long searches go on without an embedder that failed; doubles with each further failure. */
  queryRetryMs: 5_000,
  queryRetryMostMs: 120_000,
  /** How long a search in a one-shot process waits for pending documents. */
  catchUpMs: 10_000,
  /** Hits of each ranking that are fused. */
  hybridWindowCount: 300,
  /** The best hits of each ranking whose neighbours are looked up. */
  neighboursCount: 100,
  /** A word in a larger share of the filtered documents is left out of the embedded query. */
  frequentRatio: 0.2,
  /** Among fewer documents every word has a large share. */
  frequentDocsCount: 20,
  /** With fewer other words, the frequent ones are the topic of the query. */
  restTermsCount: 2,
  embeddingStoreDeadlineMs: 30_000,

  // vectors
  /** The cache of all vectors of all tenants; only the last used collection may exceed it. */
  vectorCacheBytes: 256 * 1024 * 1024,
  /** Unit in which a collection gets and returns memory. */
  vectorBlockBytes: 64 * 1024,
  /** WASM memory ends at 4 GiB; the rest is for the query and the results of one block. */
  vectorMemoryBytes: 4 * 1024 * 1024 * 1024 - 64 * 1024,
  /** The size of a document in memory besides its numbers: id, positions, facets. */
  vectorDocumentBytes: 300,
  /** Numbers per vector: no known model has more. */
  vectorNumbersCount: 8_192,
  /** Rows per read: about a millisecond. */
  vectorPageCount: 500,
  vectorHitsCount: 1_000,
  /** Additional candidates that are rescored with the full precision of the query. */
  vectorSpareCount: 32,
  /** Tokens of a document whose signs are kept; about a hundred words. */
  tokensCount: 128,
  /** Tokens of a query that are compared, those with the largest weights. */
  queryTokensCount: 32,
  /** The best hits of a ranking that are compared token by token; a ranking with fewer is not compared. */
  comparedCount: 60,
  /** Records of deleted documents, above which the older half is swept. */
  vectorGoneCount: 5_000,
} as const;

/** Limits that tests reduce. */
export interface Tuning {
  readonly tailEntriesCount: number;
  readonly tailBytes: number;
  readonly mergeWidthCount: number;
  readonly smallestSegmentBytes: number;
  readonly largestSegmentBytes: number;
  readonly chunkBytes: number;
  readonly cacheBytes: number;
  readonly segmentBatchCount: number;
  readonly rebuiltBatchCount: number;
}

export function cacheBytesFor(memoryBytes: number): number {
  const { cacheMemoryRatio, cacheLeastBytes, cacheMostBytes } = searchLimits;
  return Math.max(cacheLeastBytes, Math.min(cacheMostBytes, Math.floor(memoryBytes * cacheMemoryRatio)));
}

/** A container may use less than the machine has. Without a limit, some systems report 0 and others a huge number. */
const memoryBytes = (): number => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);

export const defaultTuning: Tuning = {
  tailEntriesCount: searchLimits.tailEntriesCount,
  tailBytes: searchLimits.tailBytes,
  mergeWidthCount: searchLimits.mergeWidthCount,
  smallestSegmentBytes: searchLimits.smallestSegmentBytes,
  largestSegmentBytes: searchLimits.largestSegmentBytes,
  chunkBytes: searchLimits.chunkBytes,
  cacheBytes: cacheBytesFor(memoryBytes()),
  segmentBatchCount: searchLimits.segmentBatchCount,
  rebuiltBatchCount: searchLimits.rebuiltBatchCount,
};
