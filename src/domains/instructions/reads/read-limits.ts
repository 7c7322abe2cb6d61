/** Every bound of reading the catalog, unit last. */
export const readLimits = {
  /** A documented whole answer is whole up to this, then says where it goes on (RULINGS R2). */
  wholeAnswerBytes: 4 * 1024 * 1024,
  batchOperationsCount: 100,
  /** All results of a batch together: what one answer may hold, less what is around them. */
  batchAnswerBytes: 8 * 1024 * 1024 - 64 * 1024,
  listCount: 100_000,
  queryResultsCount: 1_000,
  defaultResultsCount: 50,
  knownEntriesCount: 100_000,
  filterValuesCount: 100,
  filterChars: 2_000,
  searchChars: 10_000,
  /** How many of the nearest by meaning are looked at. */
  semanticHitsCount: 200,
  /** Texts that one job of the pattern workers gets. */
  patternChunkChars: 4 * 1024 * 1024,
  /** How long one read may keep the event loop before others get their turn, and how much it does between two looks at the clock. */
  turnMs: 8,
  turnItemsCount: 250,
  /** A page that ends further down is not worth picking out of a long list: all of it is sorted. */
  pickedCount: 2_000,
  situationItemsCount: 200,
  situationItemChars: 1_000,
  situationTaskChars: 4_000,
  /** Of problems and drift: a report, not a copy of the folder. */
  reportItemsCount: 100,
} as const;
