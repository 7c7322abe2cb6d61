import type { Server } from '@modelcontextprotocol/server';
import type { Caller } from '#kernel/call.ts';
import { limits } from '#kernel/limits.ts';
import { createSubscriptions } from './announcements.ts';
import { createClientRoot } from './client-root.ts';
import { type McpDeps, type McpOptions, mcpLimits } from './mcp-deps.ts';
import { type JsonObject, setsLogLevel } from './protocol.ts';
import type { Responder } from './responder.ts';
import type { Sdk } from './sdk.ts';
import { createServer } from './server-factory.ts';

/** A 2025-era client over HTTP, from its `initialize` to its end. */
export interface Session {
  readonly caller: Caller;
  /** Calls that the fast path runs in it, by request id. */
  readonly running: Map<unknown, AbortController>;
  readonly wantsLogs: boolean;
  /** Streams are open or calls are running. */
  readonly isInUse: boolean;
  usedAt: number;
  serve(request: Request, message: JsonObject | undefined): Promise<Response>;
  /** The client disconnected from a request: cancels what would answer it. */
  abandon(message: JsonObject): void;
  /** Marks the session as in use until the returned function is called. */
  hold(): () => void;
  end(): Promise<void>;
}

interface SessionOwner {
  readonly sdk: Sdk;
  readonly deps: McpDeps;
  readonly options: McpOptions;
  readonly responder: Responder;
  readonly id: string;
  /** The handshake succeeded. */
  onOpen(session: Session): void;
  /** The client ended the session. */
  onClose(): void;
}

async function createSession(
  { sdk, deps, options, responder, id, onOpen: began, onClose: ended }: SessionOwner,
  owner: Caller,
): Promise<Session> {
  const { clock, log } = deps;
  const running = new Map<unknown, AbortController>();
  let heldCount = 0;
  let wantsLogs = false;
  const root = createClientRoot(() => server.listRoots());
  const caller: Caller = {
    ...owner,
    root: async () => (server.getClientCapabilities()?.roots === undefined ? undefined : root.find()),
  };
  const subscriptions = createSubscriptions(deps, caller, (announcement) => {
    server
      .notification(announcement)
      .catch((error: unknown) => log.debug({ err: error }, 'a notification of a session failed'));
  });
  const server: Server = createServer({
    sdk,
    deps,
    options,
    responder: responder,
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
      // Before its stream is open, a client cannot be asked.
      if (message === undefined || message['method'] === 'notifications/roots/list_changed') root.changed();
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

export type Sessions = ReturnType<typeof createSessions>;

const isSameCaller = (a: Caller, b: Caller): boolean => a.tenant === b.tenant && a.actor === b.actor;

/** In memory, limited in number, dropped when idle. */
export function createSessions(deps: McpDeps, options: McpOptions, responder: Responder) {
  const { clock, ids, log } = deps;
  const kept = new Map<string, Session>();
  const sweep = setInterval(expire, mcpLimits.sessionSweepMs).unref();

  const isIdle = (session: Session): boolean =>
    !session.isInUse && clock.now() - session.usedAt > limits.httpSessionIdleMs;

  function drop(id: string): void {
    const session = kept.get(id);
    kept.delete(id);
    if (session !== undefined) log.debug({ count: kept.size }, 'session ended');
    session?.end().catch((error: unknown) => log.debug({ err: error }, 'closing a session failed'));
  }

  function expire(): void {
    for (const [id, session] of kept) if (isIdle(session)) drop(id);
  }

  /** A caller with sessions loses its own oldest one, not someone else's. */
  function makeRoom(caller: Caller): void {
    if (kept.size < limits.httpSessionsCount) return;
    const own = [...kept].filter(([, session]) => isSameCaller(session.caller, caller));
    const candidates = own.length > 0 ? own : [...kept];
    const [oldestId] = candidates.reduce((a, b) => (b[1].usedAt < a[1].usedAt ? b : a));
    drop(oldestId);
  }

  return {
    get count() {
      return kept.size;
    },
    /** Undefined if it is missing or belongs to another caller: the two are indistinguishable. */
    find(id: string, caller: Caller): Session | undefined {
      const session = kept.get(id);
      if (session === undefined || !isSameCaller(session.caller, caller)) return undefined;
      if (isIdle(session)) {
        drop(id);
        return undefined;
      }
      session.usedAt = clock.now();
      return session;
    },
    /** A session that is stored only if its `initialize` succeeds. */
    open(sdk: Sdk, caller: Caller): Promise<Session> {
      const id = ids.uuid();
      const began = (session: Session) => {
        makeRoom(caller);
        kept.set(id, session);
        log.debug({ actor: caller.actor, count: kept.size }, 'session started');
      };
      return createSession(
        { sdk, deps, options, responder: responder, id, onOpen: began, onClose: () => drop(id) },
        caller,
      );
    },
    async close() {
      clearInterval(sweep);
      const sessions = [...kept.values()];
      kept.clear();
      await Promise.all(sessions.map((session) => session.end()));
    },
  };
}
