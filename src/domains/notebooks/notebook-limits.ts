export const notebookLimits = {
  // Pad files and resources
  /** Resources per page. */
  pageCount: 100,
  /** Pads that an export or a completion lists per call. */
  scanCount: 1_000,
  completionCount: 100,
  /** Cells per `scratch_read` of an export. */
  readCellsCount: 500,
  /** Attempts to read a pad that changes meanwhile. */
  readAttemptsCount: 3,
  /** An exported file that is the answer of a call. */
  exportJsonBytes: 7 * 1024 * 1024,
  /** Allows for notebooks with pictures in their outputs. */
  padFileBytes: 128 * 1024 * 1024,
  filesCount: 100_000,
  folderDepth: 24,
  /** Of the hash in the name of a file whose plain name is taken. */
  nameHashChars: 8,
  /** How long a scrape may reuse the totals. */
  totalsTrustMs: 1_000,
  /** nbformat 4.5. */
  jupyterIdChars: 64,

  // Namespaces
  listedCount: 10_000,

  // Pads
  idChars: 128,
  titleChars: 500,
  descriptionChars: 4_000,
  summaryChars: 8_000,
  namespaceChars: 128,
  tagChars: 128,
  /** Per pad, and per cell. */
  tagsCount: 64,
  /** Distinct tags of all cells of a pad: every light answer lists them. */
  cellTagsCount: 2_048,
  /** As JSON, without the named fields and the schemas. */
  metadataBytes: 64 * 1024,
  /** Small, because a listing shows the metadata of every cell. */
  cellMetadataBytes: 16 * 1024,
  /** Larger schemas are stored once per pad, and cells refer to them. */
  cellSchemaBytes: 64 * 1024,
  /** Content of a cell as JSON: it must fit an answer of 8 MiB. */
  cellJsonBytes: 7 * 1024 * 1024,
  filterCount: 100,
  cellIdsCount: 2_048,
  listCount: 1_000,
  listDefaultCount: 100,
  /** Index ranges that one page may read; above it, the list scans the pads. */
  listQueriesCount: 100,
  /** The answer to a write lists all cells of a pad up to this size (RULINGS R8). */
  wholeCellsCount: 50,
  /** Of a larger pad: the cells before and after the change. */
  nearCellsCount: 5,
  /** Cells per page of a list with a cursor. */
  cellPageCount: 200,
  /** Former versions of a schema that can be restored. */
  formerVersionsCount: 10,
  tagTotalsCount: 20_000,
  previewChars: 80,
  /** Content per answer (RULINGS R2). */
  readContentBytes: 4 * 1024 * 1024,
  /** The same answer as JSON, where escapes make it longer. */
  readAnswerChars: 6 * 1024 * 1024,
  /** Content that the statement for all cells of a pad may return; longer contents are read only if shown. */
  readRowsBytes: 8 * 1024 * 1024,
  readRowMinBytes: 4 * 1024,
  listedCellsChars: 2 * 1024 * 1024,
  /** Tenants whose changes the cache follows, and changes it reads per query. */
  followedTenantsCount: 1_000,
  followedChangesCount: 256,
  /** The cache of recent pads: of all tenants together, and per pad. */
  recentPadsBytes: 10 * 1024 * 1024,
  recentPadBytes: 128 * 1024,
  /** Estimated overhead of a cached cell. */
  recentCellBytes: 500,
  /** Pads removed per write: each takes a dozen statements. */
  removePadsCount: 20,
  /** Per tenant: above it, notes are written immediately; above twice as many, the oldest are dropped. */
  accessNotesCount: 1_000,
  accessFlushMs: 5_000,
  purgeEveryMs: 3_600_000,
  purgeCellsCount: 200,
  trashPageCount: 100,
  documentsPageCount: 50,
  /** Per step of a recount: a pad can take two dozen statements. */
  recountPadsCount: 10,
  recountTagsCount: 200,
  documentChars: 64 * 1024,
  /** Per cell: longer ones are read one by one. */
  indexedTogetherBytes: 256 * 1024,

  // History
  /** Changes that are kept per cell. */
  cellChangesCount: 50,
  /** Former contents that are kept per tenant; the oldest are dropped first. */
  historyBytes: 1024 * 1024 * 1024,
  /** Per write of a tenant above its limit. */
  historyDropCount: 20,
  changesCount: 200,
  changesDefaultCount: 50,

  // Schemas
  /** As JSON. */
  schemaBytes: 1024 * 1024,
  /** All schemas of a pad: one answer lists them. */
  padSchemasBytes: 4 * 1024 * 1024,
  padSchemasCount: 256,
  schemaIdChars: 128,
  nameChars: 200,
  schemaDescriptionChars: 2_000,
  warningsCount: 20,

  // Search
  queryChars: 10_000,
  hitsCount: 50,
  hitsDefaultCount: 10,
  /** Hits that one query reads. */
  readHitsCount: 2,
  /** How long the snippets of an answer may hold the event loop. */
  hitsSliceMs: 10,
  snippetChars: 240,
  /** Cells before and after a hit, and the beginning of each that is shown. */
  contextCount: 5,
  contextChars: 240,
  /** With fewer hits, the answer mentions texts that are not yet embedded. */
  fewHitsCount: 3,
  /** Cells that a search by tags or namespaces alone puts in order. */
  datedCellsCount: 5_000,
  /** The same per query. */
  datedTogetherCount: 500,
  /** Documents read per query when the index is rebuilt. */
  readDocumentsCount: 50,
  listedIdsCount: 1_000,

  // Validation
  /** Content per call. */
  validatedBytes: 32 * 1024 * 1024,
  /** Of an answer as JSON (RULINGS R2); further findings are only counted. */
  validationAnswerChars: 4 * 1024 * 1024,
  /** Per cell; further findings are only counted. */
  shownErrorsCount: 50,
  shownWarningsCount: 50,
  /** Per message to a worker: copying blocks the event loop for as long as the cells are large. */
  validationBatchChars: 1024 * 1024,
  validationBatchCount: 64,
  /** Workers of the pool that one tenant may occupy. */
  validationsPerTenantCount: 2,
  waitingValidationsCount: 256,
  validationWorkersCount: 4,
  validationHeapMb: 512,
  /** Memory of the grammars of one worker, which is not part of its heap. */
  validationGrammarsMb: 384,
  /** Total per worker; heap and grammars are seldom large at the same time. */
  validationMemoryMb: 896,
  appliedSchemaBytes: 1024 * 1024,
  schemaDepth: 256,
  /** Of a document that a schema is applied to: each value takes the library a few hundred bytes. */
  documentValuesCount: 300_000,
  yamlAliasCount: 100,
  /** The syntax tree of JavaScript takes two hundred times its text; a larger one would not fit into memory. */
  scriptChars: 2 * 1024 * 1024,
  /** Larger error nodes are reported at their start, without a search for the exact token. */
  brokenNodesCount: 10_000,
  /** Longer texts are only parsed: visiting every node of their trees takes seconds. */
  treeWalkChars: 1024 * 1024,
} as const;
