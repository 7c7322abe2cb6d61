/** Every bound of libraries, unit last. */
export const libraryLimits = {
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
  /** Different sizes of a statement with many rows. */
  statementRowsCount: 64,
} as const;
