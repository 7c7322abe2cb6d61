export const accessLimits = {
  /**
   * How long a verified credential is trusted without asking the store: limits how long a revoked key works in other
   * processes.
   */
  keyTrustMs: 1_000,
  /** A token cannot be revoked, only expire; this limits the time until a withdrawn signing key is noticed. */
  tokenTrustMs: 60_000,
  trustedCallersCount: 1_000,
  bearerChars: 8_192,
  /** Shorter ones could be guessed. */
  tokenMinChars: 16,
  keyNameChars: 100,
  tenantChars: 128,
  actorChars: 200,
  keysPerTenantCount: 1_000,
  /** A sign-in link is opened right after it was printed. */
  linkMs: 10 * 60_000,
  /** A browser that was signed in with a link or a key. */
  browserMs: 7 * 86_400_000,
  /** One that was signed in with a token, which can be withdrawn elsewhere. */
  tokenBrowserMs: 3_600_000,
  /** How exact the time of a key's last use is: it costs a write. */
  keyUseMs: 60_000,
  /** Wrong keys per address or key id without a delay; the delay then doubles up to its maximum. */
  wrongKeysFreeCount: 3,
  wrongKeyDelayMs: 100,
  wrongKeyDelayMaxMs: 2_000,
  wrongKeysForgetMs: 5 * 60_000,
  /** Addresses and key ids that are remembered. */
  wrongKeysCount: 10_000,
  /** Delayed answers hold a connection each, so only a few may wait. */
  heldAnswersCount: 100,
  heldAnswersPerAddressCount: 10,
  storeDeadlineMs: 5_000,
  jwksTimeoutMs: 5_000,
  jwksMaxAgeMs: 10 * 60_000,
  jwksCooldownMs: 30_000,
  clockToleranceS: 30,
  /** Metadata and tokens of an authorization server. */
  oauthAnswerBytes: 262_144,
  /** The page that a person wanted before signing in; it must fit into a cookie. */
  returnPathChars: 1_000,
} as const;
