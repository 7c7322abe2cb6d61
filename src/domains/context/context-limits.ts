export const contextLimits = {
  taskChars: 10_000,
  filesCount: 100,
  fileChars: 1_000,
  leastBudgetTokens: 200,
  defaultBudgetTokens: 1_500,
  largestBudgetTokens: 100_000,
  /** The share of the budget that each memory gets at least, if it has found that much. */
  floorRatio: 0.15,
  /** A text is not shortened to less than this. */
  shortTextTokens: 40,
  /** Of each memory, before the budget decides. */
  foundCount: 12,
  /** Rules that apply: each binding one is named. */
  rulesCount: 1_000,
  /** Docs whose whole sections are read; the budget may cut them further. */
  passageTokens: 3_000,
  /** Less relevant items are left out: they would fill a budget that nothing else needs. */
  docRelevanceRatio: 0.7,
  /** Without the help of meaning a task shares few words with its docs. */
  wordsDocRelevanceRatio: 0.5,
  /**
   * Relevance of the best note or fact, then what each that follows it needs: a share of its score, a relevance, and a
   * share of its relevance. Chosen with the judged tasks of even numbers.
   */
  relevanceRatio: 0.4,
  scoreRatio: 0.7,
  behindRelevanceRatio: 0.6,
  behindOfBestRatio: 0.7,
  /** The relevance of each that follows the best one if the task is a question, whatever its score. */
  behindAnswerRatio: 0.35,
  /** Whatever the scale of the model, an item that is as relevant as this share of the best one is relevant enough. */
  likeBestRatio: 0.95,
  /** A pad that is found by its title. A title is short, so it is more similar to a task than the best of its cells. */
  padRelevanceRatio: 0.7,
  /** The score of a neighbour, relative to the best note, from which on it helps to understand the note. */
  neighbourScoreRatio: 0.6,
  /** Without the help of meaning a question shares few words with its answer: compared with the best hit. */
  wordsOfBestRatio: 0.6,
  wordsRelevanceRatio: 0.15,
  /** Docs of FeathersJS, in a project that may not use it and has none of its own about the task. */
  shippedDocsCount: 1,
  /** For a task: further ones are seldom of use. */
  notesCount: 5,
  /** A longer note is shown as a snippet. */
  wholeNoteChars: 4_000,
  longNoteChars: 600,
  /** The best notes; of the others, only those that are not longer than a snippet are shown whole. */
  wholeNotesCount: 2,
  /** Of a binding rule that has nothing in common with the task: its beginning says what it is about. */
  unrelatedBodyTokens: 250,
  /** The share of the budget for the names of general advice that has nothing in common with the task. */
  generalRatio: 0.08,
  factFieldsCount: 12,
  /** Statements about an entity whose dates are looked up. */
  datedTextsCount: 50,
  /** Relationships of one entity. */
  relationsCount: 5,
  contradictionsCount: 3,
  changesCount: 3,
  /** Older changes of an item are not mentioned. */
  recentMs: 14 * 24 * 3_600_000,
  /** Items that a receipt names although they were left out. */
  hiddenItemsCount: 100,
  /** Receipts wait this long to be stored together. */
  receiptDelayMs: 500,
  /** Receipts that wait; further ones are dropped. */
  waitingReceiptsCount: 1_000,
  receiptIdChars: 40,
  receiptsPageCount: 100,
  shownTaskChars: 300,
  namespaceChars: 200,
  /** Of one remembered text; longer ones belong into a file or a cell of their own. */
  rememberedChars: 100_000,
  rememberedCount: 50,
  nameChars: 500,
  titleChars: 120,
  candidatesCount: 5,
  candidateFieldsCount: 4,
  /** Pads of one month; each holds as many cells as the settings allow. */
  inboxPadsCount: 20,
  /** What `prompt/review` reads in one call; the steps overlap, so that no secret is cut in two. */
  reviewChars: 10_000,
  reviewStepChars: 9_500,
  forgottenIdChars: 400,
  reasonChars: 500,
} as const;
