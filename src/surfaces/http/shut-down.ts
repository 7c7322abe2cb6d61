import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { CredentialWatch } from './credential-watch.ts';
import type { EventStreams } from './event-streams.ts';
import type { McpHandler } from './http-deps.ts';
import type { McpRoute } from './mcp-route.ts';

export interface ShutDownDeps {
  readonly mcp: McpHandler;
  readonly mcpRoute: McpRoute;
  readonly events: EventStreams;
  readonly credentials: CredentialWatch;
  readonly silent: ReadonlySet<Socket>;
}

/** Connections that have asked for nothing yet. Node counts them as busy, so that closing would wait for their timeout. */
export function trackSilent(server: Server): Set<Socket> {
  const silent = new Set<Socket>();
  server.on('connection', (socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  return silent;
}

const idleSweepMs = 20;

/** Accepts nobody new, lets calls under way finish, ends streams, then closes; what takes longer than `maxMs` is cut off. */
export async function shutDown(server: Server, deps: ShutDownDeps, maxMs: number): Promise<void> {
  const { mcp, mcpRoute, events, credentials, silent } = deps;
  const cutOff = Promise.withResolvers<void>();
  const timer = setTimeout(cutOff.resolve, maxMs);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection whose last answer just left is idle only now.
  const sweep = setInterval(() => server.closeIdleConnections(), idleSweepMs);
  try {
    for (const socket of silent) socket.destroy();
    events.close();
    await Promise.race([mcpRoute.idle(), cutOff.promise]);
    await Promise.race([mcp.close(), cutOff.promise]);
    await Promise.race([closed, cutOff.promise]);
  } finally {
    clearTimeout(timer);
    clearInterval(sweep);
    credentials.close();
    server.closeAllConnections();
  }
  await closed;
}
