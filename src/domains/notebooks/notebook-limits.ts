export const notebookLimits = {
  // notebook-file
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

  // namespace
  listedCount: 10_000,

  // pad
  idChars: 128,
  titleChars: 500,
  descriptionChars: 4_000,
  summaryChars: 8_000,
  namespaceChars: 128,
  tagChars: 128,
  /** Of one pad, and of one cell. */
  tagsCount: 64,
  /** Distinct ones of all cells of a pad: every light answer holds them. */
  cellTagsCount: 2_048,
  /** Of the JSON text of what a pad's metadata holds beside the named fields; schemas have their own bounds. */
  metadataBytes: 64 * 1024,
  /** So little, because a listing shows that of every cell. */
  cellMetadataBytes: 16 * 1024,
  /** A schema that is larger is kept once for the pad, and cells refer to it. */
  cellSchemaBytes: 64 * 1024,
  /** Of the content of one cell, escaped: an answer of 8 MiB has to hold it beside the rest. */
  cellJsonBytes: 7 * 1024 * 1024,
  filterCount: 100,
  cellIdsCount: 2_048,
  listCount: 1_000,
  listDefaultCount: 100,
  /** Ranges of an index that are read for one page; with more of them, pads are looked at one after the other. */
  listRunsCount: 100,
  tagTotalsCount: 20_000,
  previewChars: 80,
  /** Content of one answer (RULINGS R2); what goes beyond is left out and said to be. */
  readContentBytes: 4 * 1024 * 1024,
  /** The same answer as JSON, where escapes make content longer. */
  readAnswerChars: 6 * 1024 * 1024,
  /** What one statement may bring of all contents of a pad; the rest is fetched as far as it is shown. */
  readRowsBytes: 8 * 1024 * 1024,
  readRowMinBytes: 4 * 1024,
  listedCellsChars: 2 * 1024 * 1024,
  /** Pads that were read lately and have not changed since: of all tenants together, and of one. */
  /** Whose changes are followed at a time, and how many of them are asked for at once. */
  followedTenantsCount: 1_000,
  followedChangesCount: 256,
  recentPadsBytes: 10 * 1024 * 1024,
  recentPadBytes: 128 * 1024,
  /** Of each cell beside its texts: its members take room too. */
  recentCellBytes: 500,
  /** Pads that leave in one write: each takes a dozen statements, and the notes of reads come before them. */
  removePadsCount: 20,
  /** Of a tenant: as many are written down without further waiting; the oldest of twice as many are given up. */
  accessNotesCount: 1_000,
  accessFlushMs: 5_000,
  purgeEveryMs: 3_600_000,
  purgeCellsCount: 200,
  trashPageCount: 100,
  documentsPageCount: 50,
  /** Pads, and tags of pads, that one step of a recount goes through: a pad can take two dozen statements. */
  recountPadsCount: 10,
  recountTagsCount: 200,
  documentChars: 64 * 1024,

  // schema
  /** Of the JSON text of one schema. */
  schemaBytes: 1024 * 1024,
  /** Of all schemas of a pad: the list of them is one answer. */
  padSchemasBytes: 4 * 1024 * 1024,
  padSchemasCount: 256,
  schemaIdChars: 128,
  nameChars: 200,
  schemaDescriptionChars: 2_000,
  /** Of one answer; the first ones tell enough. */
  warningsCount: 20,

  // search
  queryChars: 10_000,
  hitsCount: 50,
  hitsDefaultCount: 10,
  snippetChars: 240,
  /** Who finds fewer is told what is not embedded yet. */
  fewHitsCount: 3,
  /** Documents read at once when the index is made anew. */
  readDocumentsCount: 50,
  listedIdsCount: 1_000,

  // checks
  /** Contents of one call, which travel to a thread at once. */
  contentBytes: 32 * 1024 * 1024,
  /** Of an answer as JSON (RULINGS R2); findings beyond are left out and counted. */
  answerChars: 4 * 1024 * 1024,

  // shared
  /** Findings a cell; what goes beyond is counted. */
  checkErrorsCount: 50,
  checkWarningsCount: 50,
  /** Cells that travel to a process together: copying them holds up the event loop for as long as they are large. */
  checkBatchChars: 1024 * 1024,
  checkBatchCount: 64,
  /** Processes that one tenant's checks may hold at a time, of those that the pool has. */
  checkPerTenantCount: 2,
  checkWaitingPerTenantCount: 256,
  checkThreadsCount: 4,
  checkHeapMb: 512,
  /** What the grammars of one process may take beside its heap. */
  checkGrammarsMb: 384,
  /** All that one process may take; the two above are seldom large at once. */
  checkMemoryMb: 896,
  appliedSchemaBytes: 1024 * 1024,
  schemaDepth: 256,
  /** The values of a document that a schema is applied to: each costs the library a few hundred bytes. */
  documentValuesCount: 300_000,
  yamlAliasCount: 100,
  /** A tree of JavaScript takes two hundred times its text; beyond this it would not fit and only take its time. */
  scriptChars: 2 * 1024 * 1024,
  /** Children of one broken node, statements of one block: above it only the first finding is told apart. */
  brokenChildrenCount: 10_000,
  indentsChars: 1024 * 1024,
} as const;
