export const truthFileLimits = {
  /** Entities that are reduced in one transaction: each reads all its observations. */
  rebuiltEntitiesCount: 20,
  rebuiltObservationsCount: 200,
  /** Told by id; the rest is counted. */
  toldCount: 20,
  /** Envelopes that are under way at once: the store commits them together. */
  envelopesCount: 128,
  lineBytes: 2 * 1024 * 1024,
  /** Lines that could not be taken in are told, and counted beyond this. */
  toldLinesCount: 50,
} as const;
