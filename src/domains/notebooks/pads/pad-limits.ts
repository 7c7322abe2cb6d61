/** Bounds of pads and cells that are no setting. */
export const padLimits = {
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
  /** Values in one statement that inserts many rows. */
  insertValuesCount: 900,
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
} as const;
