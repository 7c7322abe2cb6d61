import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { httpFaults } from '#kernel/fault/http-faults.ts';
import type { Connections } from './connections.ts';
import type { ErrorResponder } from './error-responses.ts';
import type { HostGuard } from './host-guard.ts';
import { isMcpPath, type McpRoute } from './mcp-route.ts';

/** Headers that a page may send to us. */
const requestHeader = /^(?:accept|authorization|content-type|idempotency-key|last-event-id|mcp-[a-z0-9-]+)$/i;
const exposedHeaders = 'mcp-session-id, mcp-protocol-version, retry-after, www-authenticate';

const isPreflight = (req: IncomingMessage): boolean =>
  req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined;

/** A compressed body could be far larger than the limit of bodies. */
function isEncoded({ headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding'];
  return encoding !== undefined && !/^(?:identity)?$/i.test(encoding.trim());
}

/** Lets pages of an allowed origin read the answer. Never with credentials: the server uses keys, not cookies. */
function allowOrigin(res: ServerResponse, origin: string): void {
  res.setHeader('access-control-allow-origin', origin);
  res.setHeader('access-control-expose-headers', exposedHeaders);
  res.setHeader('vary', 'Origin');
}

function answerPreflight(req: IncomingMessage, res: ServerResponse, isAllowed: boolean, maxAgeS: number): void {
  if (isAllowed) {
    const wanted = (req.headers['access-control-request-headers'] ?? '').split(',').map((name) => name.trim());
    res.setHeader('access-control-allow-methods', 'GET, POST, DELETE');
    res.setHeader('access-control-allow-headers', wanted.filter((name) => requestHeader.test(name)).join(', '));
    res.setHeader('access-control-max-age', String(maxAgeS));
  }
  res.writeHead(204).end();
}

export interface RequestGateDeps {
  readonly guard: HostGuard;
  readonly errors: ErrorResponder;
  readonly mcpRoute: McpRoute;
  readonly corsMaxAgeS: number;
  /** Everything but /mcp. */
  readonly route: RequestListener;
  readonly isClosing: () => boolean;
  readonly connections: Connections;
}

/** Checks every request before routing. */
export function createRequestGate({
  guard,
  errors,
  mcpRoute,
  corsMaxAgeS,
  route,
  isClosing,
  connections,
}: RequestGateDeps): RequestListener {
  /** Answers a CORS preflight, or adds the CORS headers to the response; true if the request was a preflight. */
  function shareWithOrigin(req: IncomingMessage, res: ServerResponse, origin: string): boolean {
    const isAllowed = guard.isAllowedOrigin(origin);
    if (isAllowed) allowOrigin(res, origin);
    if (!isPreflight(req)) return false;
    answerPreflight(req, res, isAllowed, corsMaxAgeS);
    return true;
  }

  return function onRequest(req, res) {
    connections.began(req, res);
    const isMcp = isMcpPath(req.url ?? '');
    const refused = guard.faultOf(req);
    if (refused !== undefined) {
      errors.respond(req, res, refused, isMcp ? 'rpc' : 'numeric');
      return;
    }
    if (isEncoded(req)) {
      errors.respond(req, res, httpFaults.UNSUPPORTED_ENCODING(), isMcp ? 'rpc' : 'numeric');
      return;
    }
    if (isClosing()) res.setHeader('connection', 'close');
    const { origin } = req.headers;
    if (origin !== undefined && shareWithOrigin(req, res, origin)) return;
    if (isMcp) mcpRoute.serve(req, res);
    else route(req, res);
  };
}
