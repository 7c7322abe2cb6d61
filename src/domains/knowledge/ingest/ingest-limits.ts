/** Every bound of taking docs in, unit last. */
export const ingestLimits = {
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
} as const;
