import { setTimeout as pause } from 'node:timers/promises';
import type { z } from 'zod';
import { Fault } from '#kernel/fault/fault.ts';
import type { Outbound, OutboundAnswer } from '#kernel/outbound/outbound.ts';
import { outboundFaults } from '#kernel/outbound/outbound-faults.ts';
import { integrationFaults } from '../integration-faults.ts';
import { integrationLimits } from '../integration-limits.ts';

export interface ServiceRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Statuses that the caller handles, besides 200 to 299. */
  readonly accepted?: readonly number[];
  /** 0 for a body with a secret: a redirect would pass it on. */
  readonly redirectsMax?: number;
  /** Headers with a new token after HTTP 401; undefined if there is none. Called once. */
  readonly renew?: () => Promise<Readonly<Record<string, string>> | undefined>;
}

const temporaryFaults: ReadonlySet<string> = new Set(['OUTBOUND_TIMEOUT', 'OUTBOUND_FAILED']);

/** Seconds or a date, as HTTP allows; undefined if the header is missing or invalid. */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** GitHub and X name the second of the next window, Mastodon its time. */
function readLimitReset(headers: OutboundAnswer['headers'], now: number): number | undefined {
  const read = (name: string) => [headers[`x-ratelimit-${name}`], headers[`x-rate-limit-${name}`]].flat().find(Boolean);
  const reset = read('reset');
  if (read('remaining') !== '0' || reset === undefined) return undefined;
  const ms = (/^\d+$/.test(reset) ? Number(reset) * 1_000 : Date.parse(reset)) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

const failed = (why: string) => integrationFaults.SYNC_FAILED({ why });

/** A request that was not sent has a fix of its own: to repeat it would not help. */
const notReached = (cause: Fault) =>
  integrationFaults.SYNC_FAILED(
    { why: cause.message },
    cause.code === outboundFaults.OUTBOUND_REFUSED.kind.code ? { fix: cause.fix } : {},
    { cause },
  );

export function explainStatus(status: number, host: string): string {
  if (status === 401 || status === 403) return `${host} refuses the login (HTTP ${status}): connect it again`;
  if (status === 404) return `${host} does not know this address (HTTP 404)`;
  if (status === 429) return `${host} allows no more requests for now (HTTP 429)`;
  return `${host} answered with HTTP ${status}`;
}

export type ServiceClient = ReturnType<typeof createServiceClient>;

/** Requests to one service: repeats what failed for the moment, and waits as long as the service asks for. */
export function createServiceClient(
  outbound: Outbound,
  now: () => number,
  wait = (ms: number, signal: AbortSignal): Promise<void> => pause(ms, undefined, { signal }),
) {
  const { requestAttemptsCount, retryBaseMs, retryWaitMs } = integrationLimits;

  /** Undefined if it should be tried again. */
  async function attempt(url: string, request: ServiceRequest, isLast: boolean) {
    const { signal, redirectsMax, accepted: _accepted, renew: _renew, ...rest } = request;
    try {
      return await outbound.request(url, rest, { signal, ...(redirectsMax !== undefined && { redirectsMax }) });
    } catch (error) {
      if (signal.aborted || !(error instanceof Fault)) throw error;
      if (isLast || !temporaryFaults.has(error.code)) throw notReached(error);
      return undefined;
    }
  }

  async function send(url: string, first: ServiceRequest): Promise<OutboundAnswer> {
    const { host } = new URL(url);
    let request = first;
    for (let attempts = 1; ; attempts += 1) {
      // A renewed token may have been the last attempt.
      const isLast = attempts >= requestAttemptsCount;
      const answer = await attempt(url, request, isLast);
      let waitMs = retryBaseMs * 2 ** (attempts - 1) * (0.75 + Math.random() / 2);
      if (answer !== undefined) {
        const { status, headers } = answer;
        if ((status >= 200 && status < 300) || request.accepted?.includes(status)) return answer;
        const renewed = status === 401 ? await request.renew?.() : undefined;
        if (renewed !== undefined) {
          const { renew: _renew, ...once } = request;
          request = { ...once, headers: { ...request.headers, ...renewed } };
          continue;
        }
        const askedMs = readRetryAfter(headers['retry-after'], now()) ?? readLimitReset(headers, now());
        // GitHub also answers with 403 if the limit is reached.
        const isLimit = status === 429 || (status === 403 && askedMs !== undefined);
        if (!(isLimit || status >= 500) || isLast || (askedMs ?? 0) > retryWaitMs)
          throw failed(explainStatus(isLimit ? 429 : status, host));
        waitMs = Math.max(askedMs ?? 0, waitMs);
      }
      await wait(waitMs, request.signal);
    }
  }

  /** Throws SYNC_FAILED if the answer is not JSON of this form. */
  async function jsonPage<T>(url: string, schema: z.ZodType<T>, options: ServiceRequest) {
    const headers = { accept: 'application/json', ...options.headers };
    const { body, headers: answered } = await send(url, { ...options, headers });
    const { host } = new URL(url);
    let parsed: unknown;
    try {
      parsed = JSON.parse(body.toString('utf8'));
    } catch {
      const type = answered['content-type'] ?? 'something';
      throw failed(`${host} answered with ${type.slice(0, 60)} instead of JSON`);
    }
    const checked = schema.safeParse(parsed);
    if (checked.success) return { value: checked.data, headers: answered };
    const { path, message } = checked.error.issues[0]!;
    throw failed(`the answer of ${host} is not as documented: ${path.join('.') || 'it'} ${message}`.slice(0, 300));
  }

  return {
    request: send,
    jsonPage,
    json: async <T>(url: string, schema: z.ZodType<T>, options: ServiceRequest): Promise<T> =>
      (await jsonPage(url, schema, options)).value,
  };
}
