/** Bounds of finding what is in pads. */
export const notebookSearchLimits = {
  queryChars: 10_000,
  hitsCount: 50,
  hitsDefaultCount: 10,
  snippetChars: 240,
  /** Who finds fewer is told what is not embedded yet. */
  fewHitsCount: 3,
  /** Documents read at once when the index is made anew. */
  readDocumentsCount: 50,
  listedIdsCount: 1_000,
} as const;
