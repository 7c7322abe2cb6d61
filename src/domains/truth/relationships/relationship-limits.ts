export const relationshipLimits = {
  /** Of an edge's metadata as JSON. */
  metadataBytes: 64 * 1024,
  metadataDepth: 32,
  nodeIdChars: 200,
  hopsCount: 5,
  /** How many edges one answer about a neighbourhood holds. */
  edgesCount: 1_000,
  /** Parts that one statement is put together from. */
  armsCount: 140,
  /** First look for a way back; where it does not end the search goes on tenfold. */
  firstVisitedCount: 500,
  /** Entities that a search for a cycle visits on one side before it gives up. */
  visitedCount: 50_000,
} as const;
