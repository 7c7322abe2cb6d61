import type { IncomingMessage, ServerResponse } from 'node:http';

/** Headers that a page may send to us. */
const requestHeader = /^(?:accept|authorization|content-type|idempotency-key|last-event-id|mcp-[a-z0-9-]+)$/i;
const exposedHeaders = 'mcp-session-id, mcp-protocol-version, retry-after, www-authenticate';

export const isPreflight = (req: IncomingMessage): boolean =>
  req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined;

/** Lets pages of an allowed origin read the answer. Never with credentials: there are no cookies, only keys. */
export function allowOrigin(res: ServerResponse, origin: string): void {
  res.setHeader('access-control-allow-origin', origin);
  res.setHeader('access-control-expose-headers', exposedHeaders);
  res.setHeader('vary', 'Origin');
}

export function answerPreflight(req: IncomingMessage, res: ServerResponse, isAllowed: boolean, maxAgeS: number): void {
  if (isAllowed) {
    const wanted = (req.headers['access-control-request-headers'] ?? '').split(',').map((name) => name.trim());
    res.setHeader('access-control-allow-methods', 'GET, POST, DELETE');
    res.setHeader('access-control-allow-headers', wanted.filter((name) => requestHeader.test(name)).join(', '));
    res.setHeader('access-control-max-age', String(maxAgeS));
  }
  res.writeHead(204).end();
}
