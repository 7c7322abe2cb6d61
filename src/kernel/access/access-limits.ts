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
  storeDeadlineMs: 5_000,
  jwksTimeoutMs: 5_000,
  jwksMaxAgeMs: 10 * 60_000,
  jwksCooldownMs: 30_000,
  clockToleranceS: 30,
} as const;
