import { lookup as systemLookup } from 'node:dns/promises';
import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Fault } from '../fault/fault.ts';
import { faults } from '../fault/kernel-faults.ts';
import { createAddressRules } from './addresses.ts';
import { outboundFaults } from './outbound-faults.ts';
import { nextHop, type OutboundRequest } from './redirect.ts';

export const outboundLimits = {
  outboundRedirectsCount: 5,
  outboundBytes: 16 * 1024 * 1024,
  outboundTimeoutMs: 30_000,
  outboundUrlChars: 8_192,
} as const;

export interface OutboundOptions {
  /** Host names, addresses and networks that are reachable although they are not public. */
  readonly allow?: readonly string[];
  /** Every address of a name. */
  readonly resolveHost?: (host: string) => Promise<readonly string[]>;
}

export interface OutboundRequestLimits {
  readonly signal?: AbortSignal;
  readonly bytesMax?: number;
  readonly timeoutMs?: number;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The final URL, after redirects. */
  readonly url: string;
}

/**
 * Requests to URLs that someone else chose. The address is checked after resolution, and exactly that address is
 * connected.
 */
export interface Outbound {
  request(url: string, request?: OutboundRequest, bounds?: OutboundRequestLimits): Promise<OutboundAnswer>;
}

const resolveBySystem = async (host: string): Promise<readonly string[]> =>
  (await systemLookup(host, { all: true })).map(({ address }) => address);

const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

function parseUrl(text: string): URL {
  const url = text.length > outboundLimits.outboundUrlChars ? null : URL.parse(text);
  if (url === null) throw outboundFaults.OUTBOUND_REFUSED({ why: 'the address is not a URL' });
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw outboundFaults.OUTBOUND_REFUSED({ why: 'only http and https addresses are called' });
  }
  if (url.username !== '' || url.password !== '') {
    throw outboundFaults.OUTBOUND_REFUSED({ why: 'an address may hold no user name or password' });
  }
  return url;
}

export function createOutbound({ allow = [], resolveHost = resolveBySystem }: OutboundOptions = {}): Outbound {
  const rules = createAddressRules(allow);

  async function toAddresses(host: string): Promise<readonly string[]> {
    const addresses = isIP(host) === 0 ? await resolveHost(host) : [host];
    const open = rules.isAllowedHost(host) ? addresses : addresses.filter((address) => rules.isAllowed(address));
    if (open.length > 0) return open;
    if (addresses.length === 0) throw outboundFaults.OUTBOUND_FAILED({ host, why: 'it has no address' });
    throw outboundFaults.OUTBOUND_REFUSED({ why: `${host} is not a public host` });
  }

  function start(url: URL, addresses: readonly string[], request: OutboundRequest, signal: AbortSignal): ClientRequest {
    // The socket gets the checked addresses; a second resolution could differ.
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    const lookup: LookupFunction = (_host, options, done) =>
      options.all ? done(null, found) : done(null, found[0]!.address, found[0]!.family);
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    return send(url, {
      method: request.method ?? 'GET',
      headers: { 'accept-encoding': 'identity', ...request.headers },
      agent: false,
      lookup,
      signal,
    });
  }

  function exchange(url: URL, addresses: readonly string[], request: OutboundRequest, signal: AbortSignal) {
    return new Promise<IncomingMessage>((resolve, reject) => {
      const started = start(url, addresses, request, signal);
      started.on('response', resolve).on('error', reject);
      started.end(request.body);
    });
  }

  async function readBody(response: IncomingMessage, bytesMax: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      // Leaving the loop destroys the response, and with it the connection.
      if (bytes > bytesMax)
        throw faults.RESOURCE_LIMIT({ what: 'The answer of the host', limit: bytesMax, unit: 'bytes' });
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, bytes);
  }

  async function follow(first: URL, firstRequest: OutboundRequest, bytesMax: number, signal: AbortSignal) {
    let url = first;
    let request = firstRequest;
    for (let redirects = 0; ; redirects += 1) {
      const response = await exchange(url, await toAddresses(bareHost(url)), request, signal);
      const status = response.statusCode ?? 0;
      const hop = nextHop(url, status, response.headers.location, request);
      if (hop === undefined)
        return { status, headers: response.headers, body: await readBody(response, bytesMax), url: url.href };
      response.destroy();
      if (redirects === outboundLimits.outboundRedirectsCount) {
        throw outboundFaults.OUTBOUND_REFUSED({ why: `more than ${redirects} redirects` });
      }
      url = parseUrl(hop.url);
      request = hop.request;
    }
  }

  return {
    async request(text, request = {}, bounds = {}) {
      const { bytesMax = outboundLimits.outboundBytes, timeoutMs = outboundLimits.outboundTimeoutMs } = bounds;
      const url = parseUrl(text);
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = bounds.signal === undefined ? timeout : AbortSignal.any([bounds.signal, timeout]);
      try {
        signal.throwIfAborted();
        return await Promise.race([follow(url, request, bytesMax, signal), rejection(signal)]);
      } catch (error) {
        if (bounds.signal?.aborted) throw bounds.signal.reason;
        if (timeout.aborted) throw outboundFaults.OUTBOUND_TIMEOUT({ host: url.host, ms: timeoutMs });
        if (error instanceof Fault) throw error;
        throw outboundFaults.OUTBOUND_FAILED({ host: url.host, why: toReason(error) }, {}, { cause: error });
      }
    },
  };
}

/** The system's name resolution cannot be cancelled; the caller does not wait for it. */
const rejection = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** The code only: network error messages contain addresses. */
const toReason = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.name : 'unknown');
