export const s3Limits = {
  s3ConnectMs: 5_000,
  /** Until the service begins to answer. */
  s3RequestMs: 30_000,
  s3TriesCount: 3,
  /** A removal that takes longer is given up. */
  s3RemovalMs: 15_000,
  /** How long a put waits for the removal of equal bytes; longer than a removal can take. */
  s3RemovalWaitMs: 45_000,
  s3RemovalPollMs: 250,
} as const;
