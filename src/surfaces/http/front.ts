import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { allowOrigin, answerPreflight, isPreflight } from './cors.ts';
import type { HostGuard } from './host-guard.ts';
import { isMcpPath, type McpRoute } from './mcp-route.ts';
import type { Refuser } from './refuse.ts';

export interface FrontDeps {
  readonly guard: HostGuard;
  readonly refuser: Refuser;
  readonly mcpRoute: McpRoute;
  readonly corsMaxAgeS: number;
  /** Everything but /mcp. */
  readonly route: RequestListener;
  readonly isClosing: () => boolean;
  /** Connections that have asked for nothing yet. */
  readonly silent: Set<Socket>;
}

/** The gate that every request passes before anything else looks at it. */
export function createFront({
  guard,
  refuser,
  mcpRoute,
  corsMaxAgeS,
  route,
  isClosing,
  silent,
}: FrontDeps): RequestListener {
  /** Answers a browser's question before a call, and marks the answer to the call itself; true when that was all. */
  function shareWithOrigin(req: IncomingMessage, res: ServerResponse, origin: string): boolean {
    const isAllowed = guard.isAllowedOrigin(origin);
    if (isAllowed) allowOrigin(res, origin);
    if (!isPreflight(req)) return false;
    answerPreflight(req, res, isAllowed, corsMaxAgeS);
    return true;
  }

  return function onRequest(req, res) {
    silent.delete(req.socket);
    const isMcp = isMcpPath(req.url ?? '');
    const refused = guard.refusal(req);
    if (refused !== undefined) {
      refuser.refuse(req, res, refused, isMcp ? 'rpc' : 'numeric');
      return;
    }
    if (isClosing()) res.setHeader('connection', 'close');
    const { origin } = req.headers;
    if (origin !== undefined && shareWithOrigin(req, res, origin)) return;
    if (isMcp) mcpRoute.serve(req, res);
    else route(req, res);
  };
}
