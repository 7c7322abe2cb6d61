import { limits } from '#kernel/limits.ts';

/** Tests may pass shorter times. */
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
  /** Timeouts for clients that send their headers or body slowly. */
  headersMs: 10_000,
  requestMs: 60_000,
  keepAliveMs: 60_000,
  connectionsCheckMs: 2_000,
  connectionsCount: 2_000,
  /** How long a rejected body is still read, so that the client sees the answer and not a reset connection. */
  lingerMs: 1_000,
  corsMaxAgeS: 600,
  /** How often the credential of an open stream is rechecked. */
  credentialCheckMs: 1_000,
  eventStreamsCount: 256,
  eventStreamsPerTenantCount: 64,
  /**
   * A reader that lags further behind is disconnected and returns with Last-Event-ID. Holds the events of one bulk
   * write.
   */
  eventBufferBytes: 512 * 1024,
  eventReplayCount: 1_000,
  heartbeatMs: 15_000,
  readyMs: 2_000,
  /** Readiness requests within this time share one store query. */
  readyTrustMs: 500,
  shutdownMs: limits.shutdownMs,
};
