export const instructionLimits = {
  // Entries.
  bodyChars: 50_000,
  titleChars: 200,
  summaryChars: 600,
  derivedSummaryChars: 160,
  categoriesCount: 25,
  listFieldCount: 100,
  listItemChars: 2_000,
  textFieldChars: 10_000,

  // The catalog and its files.
  /** A larger file cannot be an entry: it fits the longest body, escaped, and all other fields. */
  fileBytes: 1024 * 1024,
  /** The buffer that a load reuses for every file; a larger file gets its own. */
  readBufferBytes: 64 * 1024,
  /** Changes per commit. Each takes up to four of the five hundred statements that a write may have, and all together two. */
  commitChangesCount: 100,
  historyPageCount: 100,
  /** Removed rules that a sync reads at a time. */
  removedRulesCount: 200,
  /** Restored entries per commit: taking them from the trash needs more statements. */
  restoreChangesCount: 60,
  /** Outside edits recorded per write. */
  seenChangesCount: 100,
  /** From this number of changes on, the search index is rebuilt in bulk instead of updated entry by entry. */
  rebuildChangesCount: 500,
  /** Entries per chunk of the catalog; a chunk splits at twice the size. An edit copies one chunk. */
  chunkEntriesCount: 64,
  /** Chunks between two checkpoints of the catalog hash. */
  hashStrideCount: 16,
  /** Lists see an edit that the file watcher missed after at most this time. */
  sweepEveryMs: 2_000,
  /** The background sweep runs earlier, so that no request has to wait for it. */
  sweepAheadMs: 1_500,
  /** Time for loading or sweeping before yielding to the event loop. */
  sliceMs: 8,
  /** File names sorted before yielding to the event loop. */
  sortRunCount: 5_000,
  /** After a sweep of n ms, the next one that only the folder state asks for waits this many times n. */
  sweepRestRatio: 5,
  /** Folders with at most this many files are swept whenever they change. */
  sweepAlwaysFilesCount: 100,
  /** A file that changed this recently may change again without a new timestamp. */
  settleMs: 50,
  /** An invalid file that changed this recently may still be half written. */
  freshMs: 2_000,
  /** The longest wait between two attempts, unless the configured first wait is longer. */
  retryWaitMs: 1_000,
  /** An older open journal row does not belong to a running commit. */
  journalOpenMs: 2_000,
  journalRowsCount: 100,
  /** An older temporary file was left behind by a killed process. */
  leftoverMs: 600_000,
  changesPageCount: 500,
  rowsPageCount: 500,
  /** Deadline of the catalog's own calls to the store. */
  storeDeadlineMs: 30_000,

  /** For one question to git about one file, in the background. */
  gitMs: 10_000,
  gitOutputBytes: 1024 * 1024,
  gitAuthorChars: 200,
  /** Files whose git authors are read or wait for it. */
  gitFilesCount: 300,

  // Import, export, resources, prompts and skills.
  /** Resources or skills per page. */
  pageCount: 100,
  /** Entries scanned for one page of prompts, because few entries are prompts. */
  promptScanCount: 2_000,
  completionCount: 100,
  skillNameChars: 64,
  skillDescriptionChars: 1_024,
  /** Half of the largest answer, so that a filled prompt always fits. */
  promptChars: 2_000_000,
  /** A rule file written by hand. */
  ruleFileBytes: 4 * 1024 * 1024,
  /** A backup of fifty thousand entries. */
  backupFileBytes: 256 * 1024 * 1024,
  filesCount: 200_000,
  folderDepth: 24,
  /** How far the references of a CLAUDE.md are followed. */
  referenceDepth: 5,
  /** Per call of `instructions/import`: small enough to report progress and to keep the event loop free. */
  importChunkCount: 200,
  importChunkChars: 2_000_000,
  removeChunkCount: 100,
  /** Rule files that a browser sends in one call, and the rules that the answer shows. */
  sentFilesCount: 200,
  sentRulesCount: 500,
  sentPreviewChars: 600,
  /** How often a catalog that changes while it is read is read again. */
  rereadCount: 3,

  // Proposals.
  /** Per tenant; decided ones are kept as history. */
  pendingProposalsCount: 1_000,
  /** Per write, which may have five hundred statements. */
  proposalsBatchCount: 100,
  proposalsPageCount: 100,
  proposalWordsCount: 10,
  /** Compared with a task, the newest ones, so that the cost does not grow. */
  comparedProposalsCount: 20,
  proposalsAboutCount: 3,
  proposalAboutChars: 300,
  /** A longer difference is cut in a list of several proposals. */
  listedDiffChars: 1_500,
  /** Of each text in the error for an outdated proposal. */
  conflictTextChars: 2_500,

  // Feedback.
  titleMinChars: 3,
  feedbackTitleChars: 200,
  descriptionMinChars: 10,
  descriptionChars: 5_000,
  tagsCount: 10,
  tagChars: 100,
  /** As JSON text. */
  contextBytes: 16 * 1024,
  adminNotesChars: 1_000,
  feedbackFilterChars: 100,
  idChars: 200,
  feedbackPageCount: 200,
  pageDefaultCount: 50,
  /** Entries per answer; the rest is on the next page. */
  pageBytes: 4 * 1024 * 1024,
  recentCount: 10,
  /** Entries rotated out per write. */
  rotateCount: 50,

  // Reads.
  /** An answer without pages is cut at this size and then says where to continue. */
  wholeAnswerBytes: 4 * 1024 * 1024,
  batchOperationsCount: 100,
  /** All results of a batch: the largest answer minus what surrounds them. */
  batchAnswerBytes: 8 * 1024 * 1024 - 64 * 1024,
  listCount: 100_000,
  queryResultsCount: 1_000,
  defaultResultsCount: 50,
  knownEntriesCount: 100_000,
  filterValuesCount: 100,
  filterChars: 2_000,
  searchChars: 10_000,
  /** The nearest entries that a semantic search considers. */
  semanticHitsCount: 200,
  /** Text per job of the regex workers. */
  patternChunkChars: 4 * 1024 * 1024,
  /** Time for a read before yielding to the event loop, and items between two looks at the clock. */
  turnMs: 8,
  turnItemsCount: 250,
  /** A page that ends after this position sorts all matches instead of keeping the best ones. */
  partialSortCount: 2_000,
  contextItemsCount: 200,
  contextItemChars: 1_000,
  contextTaskChars: 4_000,
  /** Rules that `applicable` finds by their text. */
  relatedRulesCount: 5,
  /** Ids of further rules, for a reader that judges them better than we do. */
  otherRulesCount: 30,
  reasonWordsCount: 5,
  reasonTopicsCount: 2,
  /** The beginning of a body in which topics are looked for, and files of a task or rule. */
  topicTextChars: 4_000,
  topicFilesCount: 50,
  /** Problems and drift in a report. */
  reportItemsCount: 100,

  // Usage.
  /** Increments per instruction and second; more are answered with `rateLimited`. */
  incrementsPerSecondCount: 10,
  eventsCount: 100,
  commentChars: 256,
  contextChars: 200,
  /** Longer than any id, because an unknown id is answered with `notFound` and not rejected. */
  usageIdChars: 200,
  hotsetCount: 100,
  hotsetDefaultCount: 10,
  /** The cache is cleared when it would hold more. */
  cachedCountsCount: 20_000,
  /** Rows of removed instructions deleted per write. */
  pruneRowsCount: 400,
  /** Signals and comments kept per instruction: the newest. */
  keptRemarksCount: 20,
  /** Comments per instruction in an answer about several. */
  shownCommentsCount: 3,

  // Served rules.
  /** How long a count waits in memory; a killed process loses it. */
  servedFlushMs: 5_000,
  servedFlushDeadlineMs: 5_000,
  /** Rules, callers and workspaces waiting in memory; further ones are not counted. */
  servedBufferCount: 10_000,
  servedChunkCount: 200,
  /** Who got a rule is kept for this time, and for this number of rules, callers, workspaces and days. */
  servedDays: 90,
  servedRowsCount: 50_000,
  /** Rows written before the next clean-up. */
  servedCleanUpCount: 1_000,
  servedCallersCount: 20,
  unusedDays: 3_650,

  // Writes.
  importEntriesCount: 10_000,
  /** Entries per commit: all of them are stored, or none. */
  importBatchCount: 100,
  removeIdsCount: 10_000,
  /** Removing more needs `confirm`. */
  removeUnconfirmedCount: 10,
  restoreIdsCount: 1_000,
  archivePageCount: 100,
  previewChars: 200,
  /** For work on the whole catalog or on thousands of entries. */
  bulkDeadlineMs: 600_000,
  /** Time for a write before yielding to the event loop. */
  writeTurnMs: 5,
  /** How often a write retries after a conflict. */
  conflictRetriesCount: 3,
} as const;
