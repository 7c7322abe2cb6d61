/** Bounds of what goes in and out in bulk, and of the lists that clients page through. */
export const outsideLimits = {
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
  readAgainCount: 3,
} as const;
