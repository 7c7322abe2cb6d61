export const analyseLimits = {
  /** Whatever a document says about itself, it says at its beginning or its end. */
  analysedChars: 200_000,
  analysedLineChars: 400,
  analysedNameChars: 120,
  analysedTitleChars: 200,
  /** Of a document that is kept as a note. */
  noteContentChars: 16_000,
  partiesCount: 10,
  tasksCount: 100,
} as const;
