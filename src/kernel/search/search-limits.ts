/** Every bound of the search index, unit last. */
export const searchLimits = {
  /** Text of one document beyond this is kept by its domain but not indexed. */
  documentChars: 256 * 1024,
  /** A longer query is cut here, and the answer says so. */
  queryChars: 10_000,
  /** Words of a query beyond these are left out, and the answer says how many. */
  queryUnitsCount: 64,
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
  emptyShelfBytes: 8 * 1024,
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
} as const;
