export const filesLimits = {
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
} as const;
