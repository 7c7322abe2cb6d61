export const truthLimits = {
  // All lists and payloads
  /** A payload's body as JSON. */
  bodyBytes: 1024 * 1024,
  bodyDepth: 32,
  /** How far a caller's clock may be ahead of ours. */
  clockAheadMs: 86_400_000,
  listDefaultCount: 100,
  listCount: 1_000,
  offsetCount: 100_000,
  /** Totals of filtered lists are counted up to this number. */
  countedCount: 100_000,
  /** Each entity adds an audit row, and a transaction has a limited number of statements. */
  payloadEntitiesCount: 200,
  nameChars: 1_000,
  /** Before blanks are collapsed. A longer text does not name anything. */
  rawNameChars: 16_000,

  // Capabilities
  /** Per tenant, in addition to the built-in ones; all fit into one answer. */
  registeredCount: 500,
  /** Capabilities that an error lists, and their fields. */
  listedCapabilitiesCount: 20,
  listedFieldsCount: 20,

  // Facts
  factTypeChars: 64,
  factFieldsCount: 200,
  factRelationsCount: 100,
  /** Entities named in the refusal of an ambiguous name. */
  candidatesCount: 10,

  // Entities
  /** Observations per statement when a state is reduced again. */
  reducedPageCount: 2_000,
  /** Rows reduced together; the resulting state then shows which of the remaining rows can be skipped. */
  reducedStepCount: 50,
  /** Larger groups are read with one statement. */
  pagedMembersCount: 100,
  /** A snapshot shows the raw fragments of this many newest observations. */
  rawObservationsCount: 200,
  /** RULINGS R2; the rest follows on the next page. */
  answerBytes: 4 * 1024 * 1024,
  /** Batch size for rows of unknown length, until the answer is full. */
  rowBatchCount: 50,
  /** The newest contributors of a merged array. */
  contributorsCount: 100,
  entitySourceRefsCount: 100,
  sourceRefsDepth: 20,
  identifiedCount: 1_000,
  reasonChars: 2_000,
  correctedFieldsCount: 200,
  /** Fields that an error names. */
  shownFieldsCount: 50,
  /** Tenants whose changes invalidate the snapshot cache, and changes read per query. */
  followedTenantsCount: 1_000,
  followedChangesCount: 256,
  /** The snapshot cache of all tenants, and its largest entry. */
  recentSnapshotsBytes: 10 * 1024 * 1024,
  recentSnapshotBytes: 128 * 1024,

  // Contradictions
  /** Statements of one entity and time that a new one is compared with. */
  comparedStatementsCount: 100,
  /** Contradictions of a group that a write looks at, the newest first. */
  knownContradictionsCount: 500,
  /** Values of a field that are compared, the newest first, and sources of each. */
  disputedValuesCount: 8,
  disputedSourcesCount: 4,
  /** Open contradictions of one field of a group; more would say the same. */
  openContradictionsCount: 10,
  contradictionIdChars: 64,
  /** Rows examined per page of a filtered list, and rows per query. */
  examinedContradictionsCount: 2_000,
  /** A merge compares this many statements of the smaller group, the newest first; fewer if the groups are large. */
  mergedStatementsCount: 500,
  /** Lookups of one merge: statements times entities. */
  mergedLookupsCount: 10_000,

  // Search over entities
  queryChars: 1_000,
  /** Hits of a query, and of each value in them, if the caller does not say. */
  foundDefaultCount: 10,
  foundValueChars: 400,
  /** One value of a field filter. */
  filterChars: 1_000,
  /** Entities with more values match every field filter and are checked individually. */
  entityFacetsCount: 128,
  /** Indexed text of an entity: its current values, and the earlier ones, the newest first. */
  entityCurrentChars: 32 * 1024,
  entityPastChars: 32 * 1024,
  /** What one value adds to it. */
  entityValueChars: 16 * 1024,
  /** The embedded text: a few parts. */
  entityMeaningChars: 4_000,
  /** Above this, the earlier values are kept in a row of their own instead of read again for each write. */
  reindexedObservationsCount: 24,
  /** The newest observations from which that row is created. */
  gatheredObservationsCount: 2_000,
  /** Entities that one transaction reads or indexes in the background: a few milliseconds. */
  indexedEntitiesCount: 32,
  /** Entities whose similar names one transaction compares. */
  namedEntitiesCount: 32,
  /** Queued entities above which the whole index is rebuilt instead, because that is faster. */
  rebuiltEntitiesCount: 20_000,
  /** When queued entities are indexed: soon after a write, and those of other processes after this long. */
  indexSoonMs: 250,
  indexEveryMs: 20_000,
  /** How long a search waits for them. */
  indexWaitMs: 3_000,
  /** How long a search waits for an index that is built for the first time. */
  indexBuildWaitMs: 20_000,
  queueRowsCount: 64,
  /** Deadline of one access to the store. */
  indexCallMs: 30_000,
  /** Above this, only keyword search is used: embedding takes almost a tenth of a second per entity. */
  embeddedEntitiesCount: 20_000,
  /** Hits that are examined for the words of the query, and hits of semantic search. */
  coveredHitsCount: 20,
  similarEntitiesCount: 100,
  /** Entities are short texts with few words, so one without a word of the query must be clearly similar. */
  similarEntityRatio: 0.6,
  /** Hits of a query that can be paged through. */
  rankedEntitiesCount: 1_000,
  /** Hits beyond the page that are ranked at first, because some turn out not to match. */
  spareHitsCount: 50,
  /** Hits that are reduced at a past moment: each reads its observations. */
  pastEntitiesCount: 200,
  /** Matches of a field filter that are read and sorted; more are found by walking through the newest entities. */
  listedMatchesCount: 1_000,
  /** Entities examined on that walk, and per query. */
  walkedEntitiesCount: 50_000,
  walkedPageCount: 1_000,
  /** Entities whose state is compared with the filters, before the answer says that it is incomplete. */
  comparedEntitiesCount: 2_000,

  // Rebuild and import
  /** Entities per transaction; each reads all its observations. */
  rebuildEntitiesCount: 20,
  rebuildObservationsCount: 200,
  rebuildKeysCount: 512,
  rebuildEdgesCount: 100,
  /** In the snapshot of an entity. */
  briefRelationsCount: 20,
  /** How often states and relationships are updated whose time has come. */
  refreshEveryMs: 60_000,
  /** Ends a batch of entities or observations earlier. */
  rebuildStatementsCount: 300,
  /** Differing entities reported by id; the rest is only counted. */
  reportedEntitiesCount: 20,
  /** Payloads per transaction, their size, and their JSON members, each of which can be an entity. */
  importBatchCount: 400,
  importBatchChars: 128 * 1024,
  importBatchMembersCount: 4_000,
  lineBytes: 2 * 1024 * 1024,
  /** Rejected lines that are reported; the rest is only counted. */
  reportedLinesCount: 50,

  // Resources
  listPageCount: 100,
  /** Entities per query, and queries per completion. */
  completionPageCount: 1_000,
  completionPagesCount: 5,
  completedCount: 100,

  // Analysis of files
  /** Half from the beginning of a document and half from its end, where it describes itself. */
  analysedChars: 200_000,
  analysedLineChars: 400,
  analysedNameChars: 120,
  analysedTitleChars: 200,
  noteContentChars: 16_000,
  partiesCount: 10,
  tasksCount: 100,

  // Text extraction
  textChars: 1_000_000,
  /** All members of an archive together. */
  unpackedBytes: 96 * 1024 * 1024,
  archiveMembersCount: 10_000,
  pagesCount: 2_000,
  rowsCount: 100_000,
  /** CPU time per file. With the start of its process it stays below 20 s. */
  extractCpuMs: 18_000,
  /** Only stops a file that waits for something: how long the CPU time takes depends on the machine. */
  extractWallMs: 100_000,
  /** One at a time, so that its limits are those of all extractions together. */
  extractThreadsCount: 1,
  extractHeapMb: 320,
  /** Of the process in total. It is checked every few milliseconds, so the process stays below 512 MB. */
  extractMemoryMb: 448,
  /** What a file left behind must not take memory from the next one. */
  extractRestRatio: 0.25,
  /** Waiting for other files included; less than the deadline of the call, which would not keep the file. */
  extractPatienceMs: 110_000,
  /** Of the text recognition program, per image; the extraction process waits for it and takes little itself. */
  recogniseWallMs: 95_000,
  recogniseCpuS: 16,
  recogniseMemoryMb: 384,

  // Files
  fileBytes: 52_428_800,
  readChunkBytes: 256 * 1024,
  /** Of inline content that is decoded at a time. */
  contentSliceChars: 1024 * 1024,
  /** The parts that decide the file type; the end holds the directory of an archive. */
  headBytes: 64 * 1024,
  tailBytes: 1024 * 1024,
  pathChars: 4_096,
  fileNameChars: 255,
  propertiesChars: 1024 * 1024,
  /** All values at any depth: they are parsed and checked in one turn of the event loop. */
  propertiesValuesCount: 20_000,
  expiresDefaultS: 3_600,
  expiresS: 604_800,
  signedTokenChars: 1_024,
  uploadDeadlineMs: 120_000,
  uploadsPerMinuteCount: 10,
  /** Text of a file in its record. */
  excerptChars: 16_000,
  sweepEveryMs: 3_600_000,
  /** Orphaned files per sweep; the rest waits for the next one. */
  orphansCount: 500,
  /** Rows per query of the sweep. */
  filesPageCount: 1_000,
  orphansPageCount: 100,
  referrersPageCount: 500,
  trashPageCount: 20,

  // Merges and duplicates
  /** An observation updates every level of its group up to the root. */
  groupCount: 500,
  groupDepth: 32,
  /** Keys per query, and keys examined per page. */
  keysPageCount: 20,
  examinedKeysCount: 1_000,
  /** Entities shown per shared key. */
  duplicateEntitiesCount: 20,

  // Observations
  /** Per observation, equal to the number of fields in a schema, even if their arrays are longer. */
  identifiersCount: 200,
  eventsCount: 200,
  /** Other names of an entity per observation. */
  aliasesCount: 20,
  /** A key of more entities says little about them. */
  similarKeyCount: 50,
  /** Rows read to find similar names. */
  similarHitsCount: 1_000,
  /** Similar entities in an answer of get_entity_by_identifier. */
  similarCount: 20,

  // Payloads
  /** Ids of payloads, their contents and submissions; any other text is not found. */
  payloadIdChars: 200,
  capabilityIdChars: 200,
  extractorVersionChars: 200,
  agentIdChars: 200,
  clientRequestIdChars: 200,
  sourceRefChars: 200,
  sourceRefsCount: 1_000,
  fileUrlsCount: 1_000,

  // Records
  /** As JSON, also after an update. */
  propertiesBytes: 1024 * 1024,
  propertiesDepth: 32,
  /** At the top level; each is a row for filters. */
  propertiesCount: 1_000,
  typeChars: 200,
  recordIdChars: 200,
  recordFilesCount: 100,
  fileUrlChars: 2_000,
  embeddingNumbersCount: 4_096,
  termsCount: 20,
  termChars: 500,
  filtersCount: 20,
  recordsDefaultCount: 10,
  /** Hits that each kind of search contributes to the ranking. */
  rankedCount: 1_000,
  /** A property of more records than this does not narrow a search. */
  selectiveCount: 1_000,
  /** Records with more properties match every facet filter and are checked individually. */
  facetsCount: 64,
  facetBucketsCount: 4_096,
  /** Indexed text of a record. */
  recordTextChars: 128 * 1024,
  /** At least one record is returned in any case. */
  recordsAnswerBytes: 4 * 1024 * 1024,
  /** With fewer hits, the answer mentions records that are not embedded yet. */
  fewRecordsCount: 3,
  /** Records per query of a rebuild. */
  rebuildRecordsCount: 50,
  listedRecordsCount: 1_000,
  /** Memory for embeddings supplied with records. */
  embeddingCacheBytes: 64 * 1024 * 1024,
  /** Deletions between clean-ups of their markers. */
  tidyEveryCount: 500,

  // Reducer
  arrayElementsCount: 1_000,
  /** Arrays may grow to this size before they are sorted and trimmed. */
  untrimmedElementsCount: 2_000,

  // Relationships
  /** Per tenant, in addition to the built-in ones; all fit into one answer. */
  relationshipTypesCount: 200,
  /** Registered types that the message about an unknown one names. */
  namedTypesCount: 30,
  similarTypesCount: 3,
  /** Types in one question. */
  askedTypesCount: 50,
  typeDescriptionChars: 500,
  /** Of one relationship: each write reads them. */
  statementsCount: 1_000,
  /** The newest periods of a relationship in a list. */
  periodsCount: 20,
  metadataBytes: 64 * 1024,
  metadataDepth: 32,
  nodeIdChars: 200,
  hopsCount: 5,
  /** Edges in one answer of get_related_entities. */
  edgesCount: 1_000,
  /** Subqueries per statement. */
  subqueriesCount: 140,
  /** Entities visited by the first step of a cycle search; each further step visits ten times as many. */
  firstVisitedCount: 500,
  /** Entities visited on one side before the search gives up. */
  visitedCount: 50_000,

  // Answers to writes
  /** Unknown fields, suggestions and values that do not fit, each; and the length of a value shown. */
  reviewedCount: 20,
  reviewedChars: 80,
  /** New entities whose names are compared with others, and similar ones of each. */
  comparedNamesCount: 5,

  // Schemas
  fieldsCount: 200,
  descriptionChars: 500,
  /** One version as JSON; all versions of a type fit into one answer. */
  definitionBytes: 32 * 1024,
  typeVersionsCount: 50,
  tenantSchemasCount: 1_000,
  /** One element of a merged array, which is stored in one row. */
  elementBytes: 4_096,
  /** Cached parsed schemas. */
  parsedSchemasCount: 256,
} as const;
