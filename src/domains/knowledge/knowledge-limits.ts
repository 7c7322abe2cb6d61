export const knowledgeLimits = {
  // base
  /** Larger files in a user's folder are logged and skipped. */
  fileBytes: 8 * 1024 * 1024,
  /** Per folder; further files are ignored. */
  filesCount: 20_000,

  // ingest
  /** Per library version. */
  pagesCount: 20_000,
  /** Larger pages are skipped and reported. */
  pageBytes: 4 * 1024 * 1024,
  /** Larger pages are read in a separate process, which may take this much. */
  inlineReadChars: 32 * 1024,
  readCpuMs: 10_000,
  /** Only stops a process that hangs: how long the CPU time takes depends on the machine. */
  readWallMs: 120_000,
  readProcessesCount: 1,
  readHeapMb: 256,
  readMemoryMb: 448,
  /** All pages of a source together. */
  sourceBytes: 512 * 1024 * 1024,
  folderDepth: 16,
  /** All `.gitignore` files of a folder together. */
  ignoreBytes: 2 * 1024 * 1024,
  /** The cost of matching paths: pattern steps times characters. */
  ignoreStepsCount: 2_000_000_000,
  archiveBytes: 256 * 1024 * 1024,
  archiveMembersCount: 50_000,
  archiveListBytes: 64 * 1024 * 1024,
  /** The largest allowed ratio of unpacked to packed size. Text packs to a tenth, a zip bomb to a thousandth. */
  unpackedRatio: 200,
  /** Smaller members are exempt from the ratio. */
  smallMemberBytes: 64 * 1024,
  /** Several sections must fit into one answer. */
  sectionChars: 4_000,
  /** A page with more sections is skipped. */
  sectionsCount: 5_000,
  titleChars: 200,
  anchorChars: 100,
  breadcrumbCount: 8,
  /** For pages that come with the call. */
  inlinePagesCount: 1_000,
  inlineChars: 8 * 1024 * 1024,
  /** One write. */
  batchPagesCount: 48,
  batchSectionsCount: 160,
  batchChars: 128 * 1024,
  /** How long the preparation of a write may hold the event loop. */
  documentsSliceMs: 10,
  /** Skipped pages that an answer names. */
  reportedSkippedCount: 50,
  /** A longer tag is read as text. */
  tagChars: 8_000,
  /** How many open elements an end tag is matched against. */
  openTagsCount: 200,
  /** The members of a longer class or interface become sections of their own. */
  declarationChars: 2_000,
  /** Nested namespaces in type declarations. */
  declarationDepth: 4,
  /** Links of an llms.txt that are followed to local files. */
  linksCount: 5_000,
  /** A whole ingest. */
  ingestMs: 15 * 60_000,
  progressEveryCount: 25,
  /** Pages that are read ahead while one is split. */
  readAheadPagesCount: 6,

  // library
  /** The maximum length of an npm package name. */
  libraryChars: 214,
  versionChars: 64,
  /** Relative to the root of the source. */
  pathChars: 500,
  sourceChars: 1_000,
  /** A larger lock file of the project is not read. */
  lockFileBytes: 32 * 1024 * 1024,
  /** For so long, package.json is not looked at again. */
  manifestFreshMs: 1_000,
  listDefaultCount: 50,
  listCount: 200,
  /** Section ids per lookup; an answer has no more hits. */
  readSectionsCount: 200,
  /** Section ids per batch. */
  listedSectionsCount: 500,
  /** Page hashes per statement. */
  listedHashesCount: 2_000,
  /** Pages whose documents enter or leave the index in one write. */
  indexBatchPagesCount: 100,
  /** After fewer changed pages the index is not merged: opening it would cost more than the next search saves. */
  mergePagesCount: 100,
  /** Sections that one write of the sweep deletes. */
  purgeSectionsCount: 1_000,
  purgeEveryMs: 3_600_000,

  // search
  hitsCount: 50,
  hitsDefaultCount: 10,
  snippetChars: 160,
  /** Of the query that an answer repeats. */
  echoChars: 1_000,
  /** Words that an explained hit lists. */
  matchedWordsCount: 20,
  /** Hits of each ranking that are fused. */
  fusedHitsCount: 100,
  /** Less similar sections are not semantic hits. A cosine. */
  similarityRatio: 0.15,
  /** For whole sections in an answer; the heads of ten hits need about as much again. */
  passageTokensDefaultCount: 1_500,
  passageTokensCount: 20_000,
  /** Candidates that are weighed before the best are chosen. */
  candidatesCount: 200,
  /** A longer `library` is unknown. */
  libraryRangeChars: 400,
  /** Above this, only keyword search is used: embedding takes almost a tenth of a second per section. */
  embeddedSectionsCount: 20_000,
  hintNamesCount: 8,
  /** Libraries that are considered for a hint, a list or a completion. */
  namesCount: 1_000,
  /** Tenants whose library names are cached. */
  knownTenantsCount: 1_000,
  /** Libraries named in one query. */
  mentionsCount: 3,
  /** Pages per list; a path prefix reaches the others. */
  pageListCount: 100,

  // service
  nameChars: 50,
  fieldNameChars: 60,
  fieldsCount: 100,
  /** A unique text must fit into one index entry, which PostgreSQL limits to 2,704 bytes. */
  uniqueTextChars: 255,
  databaseNameChars: 63,
  /** MongoDB allows 64 indexes per collection, and one is for the key. */
  mongodbUniqueCount: 63,
  /** Nesting of an array or object in a record. MongoDB allows 100, and Feathers processes answers recursively. */
  jsonDepthCount: 50,
} as const;
