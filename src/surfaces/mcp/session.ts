import type { Server } from '@modelcontextprotocol/server';
import type { Caller } from '#kernel/call.ts';
import { createSubscriptions } from './announcements.ts';
import type { Front } from './front.ts';
import type { McpDeps, McpOptions } from './mcp-deps.ts';
import { type JsonObject, setsLogLevel } from './protocol.ts';
import type { Sdk } from './sdk.ts';
import { createServer } from './server-factory.ts';

/** A client of the 2025 era over HTTP, between its `initialize` and its end. */
export interface Session {
  readonly caller: Caller;
  /** Calls that the front runs in it, by request id. */
  readonly running: Map<unknown, AbortController>;
  readonly wantsLogs: boolean;
  /** Streams are open or calls are running. */
  readonly isInUse: boolean;
  usedAt: number;
  /** The SDK's answer to a request of this session. */
  serve(request: Request, message: JsonObject | undefined): Promise<Response>;
  /** The client hung up on a request: what answers it has nobody left to tell. */
  abandon(message: JsonObject): void;
  /** In use until the function that it answers is called. */
  hold(): () => void;
  end(): Promise<void>;
}

export interface SessionOwner {
  readonly sdk: Sdk;
  readonly deps: McpDeps;
  readonly options: McpOptions;
  readonly front: Front;
  readonly id: string;
  /** The handshake went well. */
  began(session: Session): void;
  /** The client has ended it. */
  ended(): void;
}

export async function createSession(
  { sdk, deps, options, front, id, began, ended }: SessionOwner,
  caller: Caller,
): Promise<Session> {
  const { clock, log } = deps;
  const running = new Map<unknown, AbortController>();
  let heldCount = 0;
  let wantsLogs = false;
  const subscriptions = createSubscriptions(deps, caller, (told) => {
    server.notification(told).catch((error: unknown) => log.debug({ err: error }, 'a session was not told'));
  });
  const server: Server = createServer({
    sdk,
    deps,
    options,
    front,
    client: { caller, era: 'legacy', channel: 'session', subscriptions, wantsLogs: () => wantsLogs },
  });
  const transport = new sdk.SessionTransport({
    sessionIdGenerator: () => id,
    onsessioninitialized: () => began(session),
    onsessionclosed: ended,
  });
  const session: Session = {
    caller,
    running,
    usedAt: clock.now(),
    get wantsLogs() {
      return wantsLogs;
    },
    get isInUse() {
      return heldCount > 0 || running.size > 0;
    },
    serve(request, message) {
      if (message?.['method'] === 'notifications/initialized') subscriptions.start();
      if (message !== undefined) wantsLogs ||= setsLogLevel(message);
      return transport.handleRequest(request, message === undefined ? {} : { parsedBody: message });
    },
    abandon({ id: requestId, method }) {
      if (requestId === undefined || method === undefined) return;
      const params = { requestId, reason: 'the client hung up' };
      transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    },
    hold() {
      heldCount += 1;
      return () => {
        heldCount -= 1;
        session.usedAt = clock.now();
      };
    },
    async end() {
      subscriptions.stop();
      for (const controller of running.values()) controller.abort();
      await transport.close();
    },
  };
  await server.connect(transport);
  return session;
}
