/** Bounds of one validation. */
export const checksLimits = {
  /** Contents of one call, which travel to a thread at once. */
  contentBytes: 32 * 1024 * 1024,
  /** Of an answer as JSON (RULINGS R2); findings beyond are left out and counted. */
  answerChars: 4 * 1024 * 1024,
} as const;
