/** Bounds of what goes in and out as files, and of the lists that clients page through. */
export const notebookFileLimits = {
  /** One page of resources; each item is small, its text is read one by one. */
  pageCount: 100,
  /** Pads asked for at once by an export or a completion. */
  scanCount: 1_000,
  completionCount: 100,
  /** Cells named in one question. */
  readCellsCount: 500,
  /** A pad that changes while it is read is read again, this often. */
  readAgainCount: 3,
  /** A notebook with pictures in its outputs. */
  padFileBytes: 128 * 1024 * 1024,
  filesCount: 100_000,
  folderDepth: 24,
  /** Of the part of a name that tells two pads apart whose names a file system takes for one. */
  nameHashChars: 8,
  /** How long a count of pads serves scrapes. */
  totalsTrustMs: 1_000,
  /** nbformat 4.5. */
  jupyterIdChars: 64,
} as const;
