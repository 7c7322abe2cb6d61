export const instructionLimits = {
  // entry
  bodyChars: 50_000,
  titleChars: 200,
  summaryChars: 600,
  derivedSummaryChars: 160,
  categoriesCount: 25,
  listFieldCount: 100,
  listItemChars: 2_000,
  textFieldChars: 10_000,

  // catalog
  /** A larger file is no instruction: fifty thousand characters of body, escaped, and everything around it. */
  fileBytes: 1024 * 1024,
  /** Into which the files of a load are read, one after the other; a larger one gets buffer of its own. */
  readBufferBytes: 64 * 1024,
  /** Changes in one commit: each costs up to four statements of the five hundred a write may have. */
  commitChangesCount: 100,
  /** Entries brought back in one commit: taking from the archive costs more statements. */
  restoreChangesCount: 60,
  /** Entries whose outside edits are written down in one write. */
  seenChangesCount: 100,
  /** From so many on the search index is made anew, in bulk, instead of being told of each. */
  rebuildChangesCount: 500,
  /** Entries of one chunk of the catalog; it is split when it has twice as many. An edit makes one of them anew. */
  chunkEntriesCount: 64,
  /** Chunks between two kept states of the catalog hash. */
  hashStrideCount: 16,
  /** Lists see an edit that nothing announced after at most this. */
  sweepEveryMs: 2_000,
  /** The background sweep comes earlier, so that nobody waits for one while the catalog is in use. */
  sweepAheadMs: 1_500,
  /** How long reading or sweeping may keep the event loop before others get their turn. */
  sliceMs: 8,
  /** Names sorted in one go. */
  sortRunCount: 5_000,
  /** A sweep that the folder's state asks for waits for this many times what the last one took. */
  sweepRestRatio: 5,
  /** A folder of so few files is swept whenever it moved, however long the last time took on a busy machine. */
  sweepAlwaysFilesCount: 100,
  /** A file that changed so recently may change again without its times moving. */
  settleMs: 50,
  /** A broken file that changed so recently may still be in the middle of being written. */
  freshMs: 2_000,
  /** The longest wait between two tries at a file, unless the first one is set to be longer. */
  retryWaitMs: 1_000,
  /** An open row of the journal that is older belongs to nobody who still works on it. */
  journalOpenMs: 2_000,
  journalRowsCount: 100,
  /** A temporary file that is older was left by a process that is gone. */
  leftoverMs: 600_000,
  changesPageCount: 500,
  rowsPageCount: 500,
  /** What the catalog asks of the store for itself. */
  storeDeadlineMs: 30_000,

  // outside
  /** One page of resources or skills; each item is small, its text is read one by one. */
  pageCount: 100,
  /** Entries looked through for one page of prompts, because few entries are prompts. */
  promptScanCount: 2_000,
  completionCount: 100,
  skillNameChars: 64,
  skillDescriptionChars: 1_024,
  /** Half of what an answer may hold, so that a filled prompt always fits one. */
  promptChars: 2_000_000,
  /** A rule file that somebody wrote by hand. */
  ruleFileBytes: 4 * 1024 * 1024,
  /** A backup of fifty thousand entries. */
  backupFileBytes: 256 * 1024 * 1024,
  filesCount: 200_000,
  folderDepth: 24,
  /** One call of `instructions/import`: small enough to show progress and to keep the event loop free. */
  importChunkCount: 200,
  importChunkChars: 2_000_000,
  removeChunkCount: 100,
  /** A catalog that changes while it is read is read again, this often. */
  rereadCount: 3,

  // feedback
  titleMinChars: 3,
  feedbackTitleChars: 200,
  descriptionMinChars: 10,
  descriptionChars: 5_000,
  tagsCount: 10,
  tagChars: 100,
  /** Of the JSON text of `context`. */
  contextBytes: 16 * 1024,
  adminNotesChars: 1_000,
  feedbackFilterChars: 100,
  idChars: 200,
  feedbackPageCount: 200,
  pageDefaultCount: 50,
  /** Entries in one answer; the rest is a further page. */
  pageBytes: 4 * 1024 * 1024,
  recentCount: 10,
  /** Entries rotated out in one write. */
  rotateCount: 50,

  // read
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
  partialSortCount: 2_000,
  contextItemsCount: 200,
  contextItemChars: 1_000,
  contextTaskChars: 4_000,
  /** Of problems and drift: a report, not a copy of the folder. */
  reportItemsCount: 100,

  // usage
  /** Increments of one instruction in one second; more are answered with `rateLimited`. */
  incrementsPerSecondCount: 10,
  eventsCount: 100,
  commentChars: 256,
  contextChars: 200,
  /** Longer than any id can be: what does not exist is answered with `notFound`, whatever it looks like. */
  usageIdChars: 200,
  hotsetCount: 100,
  hotsetDefaultCount: 10,
  /** Counts held in memory; more than so many are asked for anew. */
  cachedCountsCount: 20_000,
  /** Rows of instructions that are gone, deleted in one write. */
  pruneRowsCount: 400,

  // writes
  importEntriesCount: 10_000,
  /** Entries in one commit: durable together or not at all. */
  importBatchCount: 100,
  removeIdsCount: 10_000,
  /** More than this in one call need `confirm`. */
  removeUnconfirmedCount: 10,
  restoreIdsCount: 1_000,
  archivePageCount: 100,
  previewChars: 200,
  /** Work over the whole catalog, or over thousands of entries that are sent at once. */
  bulkDeadlineMs: 600_000,
  /** Work before other calls get their turn. */
  writeTurnMs: 5,
  /** How often an entry may be changed under a write before it gives up. */
  conflictRetriesCount: 3,
} as const;
