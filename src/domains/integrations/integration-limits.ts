export const integrationLimits = {
  /** A whole account of a chat service in one file; the engine cannot parse much longer texts. */
  memoryFileBytes: 256 * 1024 * 1024,
  filesCount: 100_000,
  folderDepth: 12,
  /** Files that are read at the same time. */
  openFilesCount: 16,
  /** Cells per scratchpad; a longer conversation continues in the next one. */
  padCellsCount: 1_000,
  /** Lookups of known items per statement. */
  knownItemsCount: 500,
  titleChars: 200,
  tagChars: 128,
  tagsCount: 64,
  /** Errors, and parts of files that were skipped, in one answer. */
  shownProblemsCount: 100,
  /** Of a service that answers questions, such as Prometheus. */
  serviceAnswerBytes: 8 * 1024 * 1024,
  serviceTimeoutMs: 15_000,
  /** A longer text field of an item from outside is cut. */
  itemTextChars: 100_000,
  /** Requests that failed for the moment are repeated, with growing pauses. */
  requestAttemptsCount: 5,
  retryBaseMs: 250,
  /** A service that asks for a longer pause ends the sync; the next one goes on there. */
  retryWaitMs: 60_000,
  /** Feeds and calendars are read in a separate process, which may take this much. */
  readCpuMs: 10_000,
  /** Only stops a process that hangs: how long the CPU time takes depends on the machine. */
  readWallMs: 120_000,
  readProcessesCount: 1,
  readHeapMb: 384,
  readMemoryMb: 640,
  /** Files of a calendar per request; their contents must fit into an answer. */
  davFilesCount: 100,
  gitMs: 60_000,
  gitOutputBytes: 256 * 1024 * 1024,
  /** A longer mail is read up to here. */
  mailBytes: 8 * 1024 * 1024,
  /** A page of mails ends early when it reaches this size. */
  mailPageBytes: 32 * 1024 * 1024,
  mailAddressesCount: 200,
  mailReferencesCount: 100,
  mailAttachmentsCount: 100,
  /** Of a subject, an address or a file name. */
  mailHeaderChars: 2_000,
  mailIdChars: 200,
  mailCpuMs: 10_000,
  mailWallMs: 100_000,
  mailHeapMb: 256,
  mailThreadsCount: 2,
  /** Mails that are parsed while the next ones are received. */
  mailsInFlightCount: 8,
  imapTimeoutMs: 60_000,
  /** Lists of a large account; one line has all message numbers of a mailbox. */
  imapLineBytes: 64 * 1024 * 1024,
  shownMailboxesCount: 20,
  defaultPageItemsCount: 100,
  pageItemsCount: 1_000,
  defaultPagesCount: 1_000,
  pagesCount: 10_000,
  /** Syncs that a process runs in the background at the same time; the others wait. */
  syncsCount: 4,
  /** How long a killed process blocks the sync of a connector for others. */
  syncLeaseMs: 15_000,
  syncResumeEveryMs: 15_000,
  /** How long `connectors add` waits for the browser. */
  loginWaitMs: 600_000,
  longestLoginWaitMs: 3_600_000,
  /** Connectors of one provider in an error message. */
  shownConnectorsCount: 20,
} as const;
