/** Bounds of what is asked about entities. */
export const entityLimits = {
  /** Observations that one statement brings when a state is reduced anew. */
  reducedPageCount: 2_000,
  /** Those that are weighed against the same state: it then tells for the rest which can change nothing. */
  reducedStepCount: 50,
  /** Groups that are larger are read in one statement. */
  pagedMembersCount: 100,
  /** The newest ones, whose raw fragments a snapshot shows. */
  rawObservationsCount: 200,
  /** Of one answer (RULINGS R2); what goes beyond is left for the next page. */
  answerBytes: 4 * 1024 * 1024,
  /** Rows whose length nobody knows before they are read: so many at a time, until the answer is full. */
  longRowsCount: 50,
  /** Of a merged array, the newest. */
  contributorsCount: 100,
  sourceRefsCount: 100,
  sourceRefsDepth: 20,
  identifiedCount: 1_000,
  reasonChars: 2_000,
  correctedFieldsCount: 200,
  /** Whose changes are followed at a time, and how many of them are asked for at once. */
  followedTenantsCount: 1_000,
  followedChangesCount: 256,
  /** Snapshots that were read lately and have not changed since: of all tenants together, and of one entity. */
  recentSnapshotsBytes: 10 * 1024 * 1024,
  recentSnapshotBytes: 128 * 1024,
} as const;
