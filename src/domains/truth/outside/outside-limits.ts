export const truthFileLimits = {
  /** Entities that are reduced in one transaction: each reads all its observations. */
  rebuiltEntitiesCount: 20,
  rebuiltObservationsCount: 200,
  rebuiltKeysCount: 512,
  /** The first two end earlier where they would ask for more than a transaction may. */
  rebuiltStatementsCount: 300,
  /** Told by id; the rest is counted. */
  toldCount: 20,
  /** Envelopes that are one write, and the members of objects and lists in them: each can be an entity, and leaves rows. */
  togetherCount: 200,
  togetherChars: 64 * 1024,
  togetherMembersCount: 4_000,
  lineBytes: 2 * 1024 * 1024,
  /** Lines that could not be taken in are told, and counted beyond this. */
  toldLinesCount: 50,
} as const;
