import { lookup as systemLookup } from 'node:dns/promises';
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { rejectionOf } from '../clock/rejection-of.ts';
import { Fault } from '../fault/fault.ts';
import { faults } from '../fault/kernel-faults.ts';
import { createAddressRules, isLoopback } from './addresses.ts';
import { outboundFaults } from './outbound-faults.ts';
import { createProxies, type ProxySettings } from './proxies.ts';
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
  readonly proxy?: ProxySettings;
  /** Every address of a name. */
  readonly resolveHost?: (host: string) => Promise<readonly string[]>;
}

export interface OutboundRequestLimits {
  readonly signal?: AbortSignal;
  readonly bytesMax?: number;
  readonly timeoutMs?: number;
  /** 0 for requests whose body holds a secret: a redirect would pass it on. */
  readonly redirectsMax?: number;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The final URL, after redirects. */
  readonly url: string;
}

/** The checked addresses of a host. */
export interface OutboundHost {
  /** For the socket, so that it connects to a checked address. A second resolution could differ. */
  readonly lookup: LookupFunction;
  /** All of them are on this machine. */
  readonly isLoopback: boolean;
}

/**
 * Requests to URLs that someone else chose. The address is checked after resolution, and exactly that address is
 * connected.
 */
export interface Outbound {
  request(url: string, request?: OutboundRequest, bounds?: OutboundRequestLimits): Promise<OutboundAnswer>;
  /** For protocols other than HTTP. Throws for a host that `request` would refuse. */
  findHost(host: string): Promise<OutboundHost>;
}

const resolveBySystem = async (host: string): Promise<readonly string[]> =>
  (await systemLookup(host, { all: true })).map(({ address }) => address);

function toLookup(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, wanted, done) => (wanted.all ? done(null, found) : done(null, found[0]!.address, found[0]!.family));
}

const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

function parseUrl(text: string): URL {
  const url = text.length > outboundLimits.outboundUrlChars ? null : URL.parse(text);
  if (url === null) throw outboundFaults.OUTBOUND_REFUSED({ why: 'not a valid URL' });
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw outboundFaults.OUTBOUND_REFUSED({ why: 'only http and https URLs are allowed' });
  }
  if (url.username !== '' || url.password !== '') {
    throw outboundFaults.OUTBOUND_REFUSED({ why: 'a URL must not contain a user name or password' });
  }
  return url;
}

export function createOutbound(options: OutboundOptions = {}): Outbound {
  const { allow = [], proxy: proxySettings = {}, resolveHost = resolveBySystem } = options;
  const rules = createAddressRules(allow);
  const proxies = createProxies(proxySettings);

  async function toAddresses(host: string): Promise<readonly string[]> {
    const addresses = isIP(host) === 0 ? await resolveHost(host) : [host];
    const open = rules.isAllowedHost(host) ? addresses : addresses.filter((address) => rules.isAllowed(address));
    if (open.length > 0) return open;
    if (addresses.length === 0) throw outboundFaults.OUTBOUND_FAILED({ host, why: 'it has no address' });
    throw outboundFaults.OUTBOUND_REFUSED({ why: `${host} is not a public host` });
  }

  /** Behind a proxy, names outside are often unknown; the proxy resolves them. */
  async function findAddresses(url: URL): Promise<readonly string[]> {
    try {
      return await toAddresses(bareHost(url));
    } catch (error) {
      if (proxies.find(url) === undefined || (error instanceof Fault && error.code === 'OUTBOUND_REFUSED')) throw error;
      return [];
    }
  }

  function start(url: URL, addresses: readonly string[], request: OutboundRequest, signal: AbortSignal): ClientRequest {
    const isSecure = url.protocol === 'https:';
    const send = isSecure ? httpsRequest : httpRequest;
    const proxy = proxies.find(url);
    const Agent = isSecure ? HttpsAgent : HttpAgent;
    return send(url, {
      method: request.method ?? 'GET',
      headers: { 'accept-encoding': 'identity', ...request.headers },
      ...(proxy === undefined
        ? { agent: false, lookup: toLookup(addresses) }
        : { agent: new Agent({ proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } }) }),
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

  async function follow(
    first: URL,
    firstRequest: OutboundRequest,
    { bytesMax, redirectsMax }: { readonly bytesMax: number; readonly redirectsMax: number },
    signal: AbortSignal,
  ) {
    let url = first;
    let request = firstRequest;
    for (let redirects = 0; ; redirects += 1) {
      const response = await exchange(url, await findAddresses(url), request, signal);
      const status = response.statusCode ?? 0;
      const hop = nextHop(url, status, response.headers.location, request);
      if (hop === undefined)
        return { status, headers: response.headers, body: await readBody(response, bytesMax), url: url.href };
      response.destroy();
      if (redirects === redirectsMax) {
        throw outboundFaults.OUTBOUND_REFUSED({ why: `more than ${redirects} redirects` });
      }
      url = parseUrl(hop.url);
      request = hop.request;
    }
  }

  return {
    async findHost(host) {
      try {
        const addresses = await toAddresses(host);
        return { lookup: toLookup(addresses), isLoopback: addresses.every(isLoopback) };
      } catch (error) {
        if (error instanceof Fault) throw error;
        throw outboundFaults.OUTBOUND_FAILED({ host, why: toReason(error) }, {}, { cause: error });
      }
    },
    async request(text, request = {}, bounds = {}) {
      const {
        bytesMax = outboundLimits.outboundBytes,
        timeoutMs = outboundLimits.outboundTimeoutMs,
        redirectsMax = outboundLimits.outboundRedirectsCount,
      } = bounds;
      const url = parseUrl(text);
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = bounds.signal === undefined ? timeout : AbortSignal.any([bounds.signal, timeout]);
      try {
        signal.throwIfAborted();
        // The system's name resolution cannot be cancelled.
        return await Promise.race([follow(url, request, { bytesMax, redirectsMax }, signal), rejectionOf(signal)]);
      } catch (error) {
        if (bounds.signal?.aborted) throw bounds.signal.reason;
        if (timeout.aborted) throw outboundFaults.OUTBOUND_TIMEOUT({ host: url.host, ms: timeoutMs });
        if (error instanceof Fault) throw error;
        throw outboundFaults.OUTBOUND_FAILED({ host: url.host, why: toReason(error) }, {}, { cause: error });
      }
    },
  };
}

/** The code only: network error messages contain addresses. */
const toReason = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.name : 'unknown');
