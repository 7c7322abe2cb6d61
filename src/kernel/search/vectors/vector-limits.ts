/** Every bound of the vectors, unit last. */
export const vectorLimits = {
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
