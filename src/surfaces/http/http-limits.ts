import { limits } from '#kernel/limits.ts';

/** The bounds of this surface. A test may hand in shorter times. */
export interface HttpLimits {
  readonly headerBytes: number;
  readonly headersMs: number;
  readonly requestMs: number;
  readonly keepAliveMs: number;
  readonly connectionsCheckMs: number;
  readonly connectionsCount: number;
  readonly lingerMs: number;
  readonly corsMaxAgeS: number;
  readonly credentialCheckMs: number;
  readonly eventStreamsCount: number;
  readonly eventStreamsPerTenantCount: number;
  readonly eventBufferBytes: number;
  readonly eventReplayCount: number;
  readonly heartbeatMs: number;
  readonly readyMs: number;
  readonly readyTrustMs: number;
  readonly shutdownMs: number;
}

export const httpLimits: HttpLimits = {
  headerBytes: 16 * 1024,
  /** A client that dribbles its headers or its body is cut off after these. */
  headersMs: 10_000,
  requestMs: 60_000,
  keepAliveMs: 60_000,
  connectionsCheckMs: 2_000,
  connectionsCount: 2_000,
  /** How long a refused body is still read, so that the client gets to see the refusal and not a reset connection. */
  lingerMs: 1_000,
  corsMaxAgeS: 600,
  /** How often the credential of an open stream is looked at again. */
  credentialCheckMs: 1_000,
  eventStreamsCount: 256,
  eventStreamsPerTenantCount: 64,
  /** A reader that lags by more than this is let go and comes back with Last-Event-ID. Holds what one bulk write tells. */
  eventBufferBytes: 512 * 1024,
  eventReplayCount: 1_000,
  heartbeatMs: 15_000,
  readyMs: 2_000,
  /** One look at the store serves all who ask for readiness within this time. */
  readyTrustMs: 500,
  shutdownMs: limits.shutdownMs,
};
