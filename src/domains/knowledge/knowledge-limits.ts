export const knowledgeLimits = {
  // base
  /** A larger file of a user's folder is reported and left out. */
  fileBytes: 8 * 1024 * 1024,
  /** Files of one folder beyond these are not looked at. */
  filesCount: 20_000,

  // ingest
  /** Pages of one library version. */
  pagesCount: 20_000,
  /** Of one page; a larger file is left out, and said so. */
  pageBytes: 4 * 1024 * 1024,
  /** All pages of a source together. */
  sourceBytes: 512 * 1024 * 1024,
  folderDepth: 16,
  /** All `.gitignore` files of a folder together. */
  ignoreBytes: 2 * 1024 * 1024,
  /** What holding paths against them may cost: their signs times the characters. */
  ignoreStepsCount: 2_000_000_000,
  /** An archive as it lies there. */
  archiveBytes: 256 * 1024 * 1024,
  archiveMembersCount: 50_000,
  /** What the list of its members takes, each with its name. */
  archiveListBytes: 64 * 1024 * 1024,
  /** How many times its packed size a member may have; text packs to a tenth, a bomb to a thousandth. */
  unpackedRatio: 200,
  /** Members smaller than this may pack as well as they like. */
  smallMemberBytes: 64 * 1024,
  /** Of one section: what fits into an answer beside others. */
  sectionChars: 4_000,
  /** Of one page: one that would have more is left out. */
  sectionsCount: 5_000,
  titleChars: 200,
  anchorChars: 100,
  /** Headings that a breadcrumb tells. */
  breadcrumbCount: 8,
  /** Of pages that come with the call. */
  inlinePagesCount: 1_000,
  inlineChars: 8 * 1024 * 1024,
  /** What one write takes in. */
  batchPagesCount: 48,
  batchSectionsCount: 160,
  batchChars: 128 * 1024,
  /** Pages that were left out and are told by name. */
  toldSkippedCount: 50,
  /** A tag that does not end within so many is none. */
  tagChars: 8_000,
  /** Elements above one that its end tag is looked for among. */
  openTagsCount: 200,
  /** Namespaces inside namespaces of type declarations. */
  declarationDepth: 4,
  /** Links of an llms.txt that are followed to files beside it. */
  linksCount: 5_000,
  /** One whole ingest. */
  ingestMs: 15 * 60_000,
  progressEveryCount: 25,
  /** Pages that are on their way from the disk while one is cut. */
  aheadPagesCount: 6,

  // library
  /** As long as the name of a package may be. */
  libraryChars: 214,
  versionChars: 64,
  /** From the root of the source. */
  pathChars: 500,
  sourceChars: 1_000,
  listDefaultCount: 50,
  listCount: 200,
  /** Libraries that are looked up by the ids of sections; an answer has no more hits. */
  readSectionsCount: 200,
  /** Ids that one page of all ids has. */
  listedSectionsCount: 500,
  /** Hashes of pages that one statement reads. */
  listedHashesCount: 2_000,
  /** Pages whose documents leave or enter the index in one write. */
  movedPagesCount: 100,
  /** Fewer pages that changed leave the index as it is: opening it would cost more than whoever searches next saves. */
  tidyPagesCount: 100,
  /** Sections that one write of the sweep takes out. */
  purgeSectionsCount: 1_000,
  purgeEveryMs: 3_600_000,

  // search
  hitsCount: 50,
  hitsDefaultCount: 10,
  snippetChars: 160,
  /** Pieces of one section that may stand in each other's way. */
  piecesCount: 4,
  /** A tenant with more is searched by words alone: each takes a good part of a tenth of a second to embed. */
  embeddedSectionsCount: 20_000,
  /** Libraries that a hint names. */
  hintNamesCount: 8,
  /** Libraries that are looked through for a hint, a list or a completion. */
  namesCount: 1_000,
  /** Pages of one library that a list shows; what a path begins with leads to the others. */
  pageListCount: 100,

  // service
  nameChars: 50,
  fieldNameChars: 60,
  fieldsCount: 100,
  /** A unique text has to fit into one entry of an index, which PostgreSQL bounds at 2,704 bytes. */
  uniqueTextChars: 255,
  databaseNameChars: 63,
  /** MongoDB has at most 64 indexes a collection, one of them for the key. */
  mongodbUniqueCount: 63,
  /** Of an array or object inside a record. MongoDB keeps a hundred, and Feathers walks through an answer by recursion. */
  jsonDepthCount: 50,
} as const;
