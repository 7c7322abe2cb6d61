export const feedbackLimits = {
  titleMinChars: 3,
  titleChars: 200,
  descriptionMinChars: 10,
  descriptionChars: 5_000,
  tagsCount: 10,
  tagChars: 100,
  /** Of the JSON text of `context`. */
  contextBytes: 16 * 1024,
  adminNotesChars: 1_000,
  filterChars: 100,
  idChars: 200,
  pageCount: 200,
  pageDefaultCount: 50,
  /** Entries in one answer; the rest is a further page. */
  pageBytes: 4 * 1024 * 1024,
  recentCount: 10,
  /** Entries rotated out in one write. */
  rotateCount: 50,
} as const;
