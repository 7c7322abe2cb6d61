/** Every bound of the catalog, unit last. */
export const catalogLimits = {
  /** A larger file is no instruction: fifty thousand characters of body, escaped, and everything around it. */
  fileBytes: 1024 * 1024,
  /** Into which the files of a load are read, one after the other; a larger one gets room of its own. */
  readRoomBytes: 64 * 1024,
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
  sweepUnrestedCount: 100,
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
} as const;
