/** Limits of what a page for people shows. */
export const truthPageLimits = {
  /** Fields and merged entities in the overview of an entity, and the lengths of a value and of a source there. */
  overviewFieldsCount: 500,
  overviewMergedCount: 100,
  overviewValueChars: 4_000,
  overviewSourceChars: 200,
  /** Newest observations of each member whose times are read, and moments of each kind. */
  momentRowsCount: 500,
  momentsCount: 500,
  /** Statements of a record. */
  recordStatementsCount: 100,
  /** Of a record in a brief list. */
  briefTextChars: 200,
  briefValuesCount: 50,
} as const;
