export interface OutboundRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Headers that may go to another host. Any other may be a credential for the first. */
const crossOriginHeaders: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'content-encoding',
  'content-length',
  'content-type',
  'if-modified-since',
  'if-none-match',
  'range',
  'user-agent',
]);

type Headers = Readonly<Record<string, string>>;

const filterHeaders = (headers: Headers, keep: (name: string) => boolean): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => keep(name.toLowerCase())));

const isOfBody = (name: string): boolean => name.startsWith('content-') || name === 'transfer-encoding';

/** As browsers do: 303 becomes a GET, 301 and 302 turn a POST into one, 307 and 308 keep the request as it is. */
function turnsIntoGet(status: number, method: string): boolean {
  if (status === 303) return method !== 'GET' && method !== 'HEAD';
  return (status === 301 || status === 302) && method === 'POST';
}

/** The next request after a redirect, or undefined for a final answer. */
export function nextHop(from: URL, status: number, location: string | undefined, request: OutboundRequest) {
  if (!redirects.has(status) || location === undefined) return undefined;
  const to = URL.parse(location, from.href);
  // Not a URL: passed on unchanged, to be rejected like any other.
  if (to === null) return { url: location, request };
  const method = (request.method ?? 'GET').toUpperCase();
  const given = request.headers ?? {};
  const headers = to.origin === from.origin ? given : filterHeaders(given, (name) => crossOriginHeaders.has(name));
  if (!turnsIntoGet(status, method)) return { url: to.href, request: { ...request, headers } };
  return { url: to.href, request: { method: 'GET', headers: filterHeaders(headers, (name) => !isOfBody(name)) } };
}
