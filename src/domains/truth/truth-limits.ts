export const truthLimits = {
  // truth
  /** Of a payload's body as JSON. */
  bodyBytes: 1024 * 1024,
  bodyDepth: 32,
  /** How far the clock of whoever observed something may be ahead of ours. */
  aheadMs: 86_400_000,
  listDefaultCount: 100,
  listCount: 1_000,
  offsetCount: 100_000,
  /** A list that is filtered is counted up to here. */
  countedCount: 100_000,
  /** Entities that one payload may speak of: each leaves an audit row, and one write has a bounded number of statements. */
  payloadEntitiesCount: 200,
  nameChars: 1_000,

  // capability
  /** Of one tenant, beside the built-in ones: all of them fit into one answer. */
  registeredCount: 500,

  // entity
  /** Observations that one statement brings when a state is reduced anew. */
  reducedPageCount: 2_000,
  /** Those that are weighed against the same state: it then tells for the rest which can change nothing. */
  reducedStepCount: 50,
  /** Groups that are larger are read in one statement. */
  pagedMembersCount: 100,
  /** The newest ones, whose raw fragments a snapshot shows. */
  rawObservationsCount: 200,
  /** Of one answer (RULINGS R2); what goes beyond is left for the next page. */
  answerBytes: 4 * 1024 * 1024,
  /** Rows whose length nobody knows before they are read: so many at a time, until the answer is full. */
  longRowsCount: 50,
  /** Of a merged array, the newest. */
  contributorsCount: 100,
  entitySourceRefsCount: 100,
  sourceRefsDepth: 20,
  identifiedCount: 1_000,
  reasonChars: 2_000,
  correctedFieldsCount: 200,
  /** Whose changes are followed at a time, and how many of them are asked for at once. */
  followedTenantsCount: 1_000,
  followedChangesCount: 256,
  /** Snapshots that were read lately and have not changed since: of all tenants together, and of one entity. */
  recentSnapshotsBytes: 10 * 1024 * 1024,
  recentSnapshotBytes: 128 * 1024,

  // outside
  /** Entities that are reduced in one transaction: each reads all its observations. */
  rebuiltEntitiesCount: 20,
  rebuiltObservationsCount: 200,
  rebuiltKeysCount: 512,
  /** The first two end earlier where they would ask for more than a transaction may. */
  rebuiltStatementsCount: 300,
  /** Told by id; the rest is counted. */
  toldCount: 20,
  /** Envelopes that are one write, and the members of objects and lists in them: each can be an entity, and leaves rows. */
  togetherCount: 200,
  togetherChars: 64 * 1024,
  togetherMembersCount: 4_000,
  lineBytes: 2 * 1024 * 1024,
  /** Lines that could not be taken in are told, and counted beyond this. */
  toldLinesCount: 50,

  // resource
  /** One page of resources; each item is small, its snapshot is read one by one. */
  listPageCount: 100,
  /** Entities that one question of a completion brings, and how many such questions it asks. */
  completionPageCount: 1_000,
  completionPagesCount: 5,
  completedCount: 100,

  // analyse
  /** Whatever a document says about itself, it says at its beginning or its end. */
  analysedChars: 200_000,
  analysedLineChars: 400,
  analysedNameChars: 120,
  analysedTitleChars: 200,
  /** Of a document that is kept as a note. */
  noteContentChars: 16_000,
  partiesCount: 10,
  tasksCount: 100,

  // extract
  /** Text that is read out of a file; what goes beyond is left. */
  textChars: 1_000_000,
  /** What the members of an archive may unpack to, all together. */
  unpackedBytes: 192 * 1024 * 1024,
  archiveMembersCount: 10_000,
  pagesCount: 2_000,
  rowsCount: 100_000,
  /** One file's reading, from the moment that the code is there. */
  extractWallMs: 30_000,
  extractThreadsCount: 2,
  extractHeapMb: 512,
  /** All that one process may take. */
  extractMemoryMb: 896,
  /** Of one page or picture by the program that recognises text. */
  recogniseWallMs: 25_000,
  recogniseCpuS: 25,
  recogniseMemoryMb: 1_024,

  // files
  /** Exactly 50 MB are taken, one byte more is not. */
  fileBytes: 52_428_800,
  readChunkBytes: 256 * 1024,
  /** What of a file's beginning and end tells its type; the end holds the list of an archive's members. */
  headBytes: 64 * 1024,
  tailBytes: 1024 * 1024,
  pathChars: 4_096,
  fileNameChars: 255,
  /** Of `properties` as JSON text. */
  propertiesChars: 1024 * 1024,
  expiresDefaultS: 3_600,
  expiresS: 604_800,
  signedTokenChars: 1_024,
  uploadDeadlineMs: 120_000,
  uploadsPerMinuteCount: 10,
  /** Of a file's text that its record keeps. */
  excerptChars: 16_000,
  sweepEveryMs: 3_600_000,
  /** Files whose record is purged that one round looks for others who name them; the rest waits for the next. */
  orphansCount: 500,
  /** Rows that one read brings: of files, of orphans, each looked for in the trash, of what names files, of the trash. */
  filesPageCount: 1_000,
  orphansPageCount: 100,
  namersPageCount: 500,
  trashPageCount: 20,

  // merge
  /** Entities in one group, and how deep they may lie: whoever observes the deepest goes all the way up. */
  groupCount: 500,
  groupDepth: 32,
  /** Keys whose entities are looked up together, and how many are looked at for one page. */
  lookedUpKeysCount: 20,
  examinedKeysCount: 1_000,
  /** Entities that are shown for one key. */
  alikeCount: 20,

  // observe
  /** What one observation can be found by, and its events: as many as a schema has fields, however long their arrays are. */
  identifiersCount: 200,
  eventsCount: 200,

  // payload
  capabilityIdChars: 200,
  extractorVersionChars: 200,
  agentIdChars: 200,
  clientRequestIdChars: 200,
  sourceRefChars: 200,
  sourceRefsCount: 1_000,
  fileUrlsCount: 1_000,

  // record
  /** Of a record's properties as JSON, also after an update has been merged in. */
  propertiesBytes: 1024 * 1024,
  propertiesDepth: 32,
  /** At the top level: each is a row that filters find. */
  propertiesCount: 1_000,
  typeChars: 200,
  recordIdChars: 200,
  recordFilesCount: 100,
  fileUrlChars: 2_000,
  embeddingNumbersCount: 4_096,
  termsCount: 20,
  termChars: 500,
  /** Properties that one question filters by. */
  filtersCount: 20,
  recordsDefaultCount: 10,
  /** What a search ranks: the best of each kind, up to here. */
  rankedCount: 1_000,
  /** A property that more records have is no help in finding few of them. */
  selectiveCount: 1_000,
  /** A record with more properties is found by filters all the same, only not narrowed down by the indexes. */
  facetsCount: 64,
  facetBucketsCount: 4_096,
  /** Text of one record that is searched. */
  recordTextChars: 128 * 1024,
  /** What the records of one answer may weigh; at least one comes in any case. */
  recordsAnswerBytes: 4 * 1024 * 1024,
  /** Who finds fewer is told what is not embedded yet. */
  fewRecordsCount: 3,
  /** Records read at once when something is made anew. */
  readRecordsCount: 50,
  listedRecordsCount: 1_000,
  /** What embeddings that came with records may hold in memory. */
  ownVectorBytes: 64 * 1024 * 1024,
  /** Deletions after which notes about them are looked at. */
  tidyEveryCount: 500,

  // reducer
  arrayElementsCount: 1_000,
  /** While many observations are gathered an array may be longer, so that it is not sorted for each. */
  gatheredElementsCount: 2_000,

  // relationship
  /** Of an edge's metadata as JSON. */
  metadataBytes: 64 * 1024,
  metadataDepth: 32,
  nodeIdChars: 200,
  hopsCount: 5,
  /** How many edges one answer about a neighbourhood holds. */
  edgesCount: 1_000,
  /** Parts that one statement is put together from. */
  armsCount: 140,
  /** First look for a way back; where it does not end the search goes on tenfold. */
  firstVisitedCount: 500,
  /** Entities that a search for a cycle visits on one side before it gives up. */
  visitedCount: 50_000,

  // entity-schema
  fieldsCount: 200,
  descriptionChars: 500,
  /** Of one version as JSON; all versions of a type are one answer. */
  definitionBytes: 32 * 1024,
  typeVersionsCount: 50,
  tenantSchemasCount: 1_000,
  /** Of one element of a merged array: an array of many sources stays in one row. */
  elementBytes: 4_096,
  /** Schemas of tenants that are held parsed. */
  parsedSchemasCount: 256,
} as const;
