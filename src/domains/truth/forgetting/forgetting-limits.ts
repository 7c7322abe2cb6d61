export const forgettingLimits = {
  /** Sources of one entity that are read and blanked in one transaction, and how many are read together. */
  forgottenSourcesCount: 5_000,
  blankedSourcesCount: 200,
  /** Observations per statement when the names of an entity are collected. */
  forgottenFieldsCount: 5_000,
  forgottenNamesCount: 50,
  /** Mentions of each kind that are searched for, and those that an answer lists. */
  mentionsCount: 2_000,
  listedMentionsCount: 100,
  listedBlankedCount: 100,
  withdrawnRowsCount: 100_000,
  /** Larger stores finish a forgetting in the background. */
  finishedNowEntitiesCount: 20_000,
  finishEveryMs: 60_000,
  certificateIdChars: 100,
} as const;
