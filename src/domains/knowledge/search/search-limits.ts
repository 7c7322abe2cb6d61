/** Every bound of search_docs, unit last. */
export const docSearchLimits = {
  hitsCount: 50,
  hitsDefaultCount: 10,
  snippetChars: 160,
  /** Pieces of one section that may stand in each other's way. */
  piecesCount: 4,
  /** A tenant with more is searched by words alone: each takes a good part of a tenth of a second to embed. */
  embeddedSectionsCount: 20_000,
  /** Answers that are kept for whoever asks the same again. */
  rememberedAnswersCount: 300,
  /** Libraries that a hint names. */
  hintNamesCount: 8,
  /** Libraries that are looked through for a hint, a list or a completion. */
  namesCount: 1_000,
  /** Pages of one library that a list shows; what a path begins with leads to the others. */
  pagesCount: 100,
} as const;
