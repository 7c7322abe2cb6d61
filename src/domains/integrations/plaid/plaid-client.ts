import { setTimeout as pause } from 'node:timers/promises';
import type { z } from 'zod';
import type { Clock } from '#kernel/clock/clock.ts';
import { Fault } from '#kernel/fault/fault.ts';
import type { Outbound } from '#kernel/outbound/outbound.ts';
import { readRetryAfter } from '../connectors/service-client.ts';
import {
  accountsAnswer,
  errorAnswer,
  exchangeAnswer,
  institutionAnswer,
  linkTokenAnswer,
  transactionsAnswer,
} from './plaid-answers.ts';
import { plaidFaults } from './plaid-faults.ts';
import { plaidLimits } from './plaid-limits.ts';
import { explain, PlaidProblem } from './plaid-problem.ts';

export interface PlaidAccess {
  readonly clientId: string;
  readonly secret: string;
  /** Without a slash at its end. */
  readonly url: string;
  readonly outbound: Outbound;
}

interface PlaidClientOptions {
  readonly clock: Clock;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** From 0 up to 1. */
  readonly random?: () => number;
}

export interface LinkRequest {
  readonly client_name: string;
  readonly language: string;
  readonly country_codes: readonly string[];
  readonly user: { readonly client_user_id: string };
  readonly products?: readonly string[] | undefined;
  readonly access_token?: string | undefined;
  readonly redirect_uri?: string | undefined;
}

/** What the package passes to the function that sends a request. */
interface SentRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: { toJSON(): Readonly<Record<string, string | undefined>> };
  readonly data?: string;
  readonly signal?: AbortSignal;
}

interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly data: unknown;
}

/**
 * Sends requests of the package through our own client, which checks addresses and limits. It answers every status, so
 * the package never makes an error: that error would hold the secret.
 */
const sendThrough = (outbound: Outbound) => async (sent: SentRequest) => {
  const headers = Object.fromEntries(
    Object.entries(sent.headers.toJSON()).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const { answerBytes, requestTimeoutMs } = plaidLimits;
  const answer = await outbound.request(
    sent.url,
    { method: sent.method.toUpperCase(), headers, ...(sent.data !== undefined && { body: sent.data }) },
    {
      bytesMax: answerBytes,
      timeoutMs: requestTimeoutMs,
      redirectsMax: 0,
      ...(sent.signal !== undefined && { signal: sent.signal }),
    },
  );
  return {
    status: answer.status,
    statusText: '',
    headers: answer.headers,
    data: answer.body.toString('utf8'),
    config: sent,
  };
};

async function loadPackage() {
  try {
    return await import('plaid');
  } catch {
    throw plaidFaults.PLAID_NOT_CONFIGURED({ missing: 'the optional package plaid is not installed' });
  }
}

async function openApi({ clientId, secret, url, outbound }: PlaidAccess) {
  const { Configuration, PlaidApi } = await loadPackage();
  const headers = { 'PLAID-CLIENT-ID': clientId, 'PLAID-SECRET': secret };
  return new PlaidApi(new Configuration({ basePath: url, baseOptions: { headers, adapter: sendThrough(outbound) } }));
}
type Api = Awaited<ReturnType<typeof openApi>>;

function toProblem({ status, headers, data }: Received, now: number): PlaidProblem {
  const retryAfter = headers['retry-after'];
  const retryAfterMs = readRetryAfter(typeof retryAfter === 'string' ? retryAfter : undefined, now);
  const isWorthRetrying = status === 429 || status >= 500;
  const parsed = errorAnswer.safeParse(data);
  if (!parsed.success) return new PlaidProblem(`it answered with status ${status}`, { isWorthRetrying, retryAfterMs });
  const { error_type: type, error_code: code } = parsed.data;
  return new PlaidProblem(`${explain(code)} (${code})`, { type, code, isWorthRetrying, retryAfterMs });
}

/** The message of a fault names the host at most. */
const toUnreached = (error: unknown): unknown =>
  error instanceof Fault ? new PlaidProblem(error.message, { isWorthRetrying: error.kind.retryable }) : error;

export type PlaidClient = ReturnType<typeof createPlaidClient>;

/** The official client, without its errors. Every method throws PlaidProblem. */
export function createPlaidClient(access: PlaidAccess, options: PlaidClientOptions) {
  const { clock, wait = (ms, signal) => pause(ms, undefined, { signal }), random = Math.random } = options;
  let opened: Promise<Api> | undefined;

  async function askOnce<T extends z.ZodType>(
    shape: T,
    signal: AbortSignal,
    send: (api: Api, options: { signal: AbortSignal }) => Promise<Received>,
  ): Promise<z.output<T>> {
    opened ??= openApi(access);
    const api = await opened;
    let received: Received;
    try {
      received = await send(api, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw toUnreached(error);
    }
    if (received.status < 200 || received.status > 299) throw toProblem(received, clock.now());
    const parsed = shape.safeParse(received.data);
    if (!parsed.success) throw new PlaidProblem('its answer does not have the documented form');
    return parsed.data;
  }

  /** Undefined if the failure is final. */
  function pauseAfter(error: unknown, tries: number): number | undefined {
    if (!(error instanceof PlaidProblem) || !error.isWorthRetrying || tries >= plaidLimits.triesCount) return undefined;
    const ms = error.retryAfterMs ?? plaidLimits.retryMs * 2 ** (tries - 1) * (0.5 + random());
    return ms > plaidLimits.retryAfterMaxMs ? undefined : ms;
  }

  async function ask<T extends z.ZodType>(...args: Parameters<typeof askOnce<T>>): Promise<z.output<T>> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await askOnce(...args);
      } catch (error) {
        const ms = pauseAfter(error, tries);
        if (ms === undefined) throw error;
        await wait(ms, args[1]);
      }
    }
  }

  return {
    createLinkToken: (request: LinkRequest, signal: AbortSignal) =>
      ask(linkTokenAnswer, signal, (api, sent) =>
        api.linkTokenCreate(request as Parameters<Api['linkTokenCreate']>[0], sent),
      ),
    exchange: (publicToken: string, signal: AbortSignal) =>
      ask(exchangeAnswer, signal, (api, sent) => api.itemPublicTokenExchange({ public_token: publicToken }, sent)),
    accounts: (accessToken: string, signal: AbortSignal) =>
      ask(accountsAnswer, signal, (api, sent) => api.accountsGet({ access_token: accessToken }, sent)),
    institution: (institutionId: string, countryCodes: readonly string[], signal: AbortSignal) =>
      ask(institutionAnswer, signal, (api, sent) => {
        const request = { institution_id: institutionId, country_codes: [...countryCodes] };
        return api.institutionsGetById(request as Parameters<Api['institutionsGetById']>[0], sent);
      }),
    transactions: (accessToken: string, cursor: string | null, signal: AbortSignal) =>
      ask(transactionsAnswer, signal, (api, sent) =>
        api.transactionsSync(
          {
            access_token: accessToken,
            count: plaidLimits.pageTransactionsCount,
            ...(cursor !== null && { cursor }),
          },
          sent,
        ),
      ),
  };
}
