export const integrationLimits = {
  /** A whole account of a chat service in one file; the engine cannot parse much longer texts. */
  memoryFileBytes: 256 * 1024 * 1024,
  filesCount: 100_000,
  folderDepth: 12,
  /** Cells per scratchpad; a longer conversation continues in the next one. */
  padCellsCount: 1_000,
  /** Lookups of known items per statement. */
  knownItemsCount: 500,
  titleChars: 200,
  tagChars: 128,
  tagsCount: 64,
  /** Errors, and parts of files that were skipped, in one answer. */
  shownProblemsCount: 100,
} as const;
