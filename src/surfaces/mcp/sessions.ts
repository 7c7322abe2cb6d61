import type { Server } from '@modelcontextprotocol/server';
import type { Caller } from '#kernel/call.ts';
import { limits } from '#kernel/limits.ts';
import { createSubscriptions } from './announcements.ts';
import type { Front } from './front.ts';
import { type McpDeps, type McpOptions, mcpLimits } from './mcp-deps.ts';
import type { JsonObject } from './protocol.ts';
import type { Sdk } from './sdk.ts';
import { createServer } from './server-factory.ts';

/** A client of the 2025 era over HTTP, between its `initialize` and its end. */
export interface Session {
  /** Calls that the front runs in it, by request id. */
  readonly running: Map<unknown, AbortController>;
  readonly wantsLogs: boolean;
  /** The SDK's answer to a request of this session. */
  serve(request: Request, message: JsonObject | undefined): Promise<Response>;
  /** The client hung up on a request: what answers it has nobody left to tell. */
  abandon(message: JsonObject): void;
  /** While a stream is open a session is not idle. */
  hold(): () => void;
}

export interface Sessions {
  readonly count: number;
  /** Undefined: there is none, or it is another caller's; both look the same from outside. */
  find(id: string, caller: Caller): Session | undefined;
  /** A session that begins with the `initialize` it is about to serve. */
  open(sdk: Sdk, caller: Caller): Promise<Session>;
  close(): Promise<void>;
}

interface Entry extends Session {
  readonly caller: Caller;
  usedAt: number;
  heldCount: number;
  end(): Promise<void>;
}

const isSameCaller = (a: Caller, b: Caller): boolean => a.tenant === b.tenant && a.actor === b.actor;

/** In memory, bounded, and forgotten when idle. */
export function createSessions(deps: McpDeps, options: McpOptions, front: Front): Sessions {
  const { clock, ids, log } = deps;
  const entries = new Map<string, Entry>();
  const sweep = setInterval(expire, mcpLimits.sessionSweepMs).unref();

  const isIdle = (entry: Entry): boolean =>
    entry.heldCount === 0 && entry.running.size === 0 && clock.now() - entry.usedAt > limits.httpSessionIdleMs;

  function drop(id: string): void {
    const entry = entries.get(id);
    if (!entries.delete(id)) return;
    entry?.end().catch((error: unknown) => log.debug({ err: error }, 'a session did not end cleanly'));
  }

  function expire(): void {
    for (const [id, entry] of entries) if (isIdle(entry)) drop(id);
  }

  /** Who has too many sessions loses his own oldest one, not another's. */
  function makeRoom(caller: Caller): void {
    if (entries.size < limits.httpSessionsCount) return;
    const own = [...entries].filter(([, entry]) => isSameCaller(entry.caller, caller));
    const candidates = own.length > 0 ? own : [...entries];
    const oldest = candidates.reduce((a, b) => (b[1].usedAt < a[1].usedAt ? b : a));
    drop(oldest[0]);
  }

  function createEntry(
    sdk: Sdk,
    caller: Caller,
    id: string,
  ): { entry: Entry; server: Server; connect(): Promise<void> } {
    const running = new Map<unknown, AbortController>();
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
      onsessioninitialized: () => {
        makeRoom(caller);
        entries.set(id, entry);
      },
      onsessionclosed: () => drop(id),
    });
    const entry: Entry = {
      caller,
      running,
      usedAt: clock.now(),
      heldCount: 0,
      get wantsLogs() {
        return wantsLogs;
      },
      serve(request, message) {
        if (message?.['method'] === 'notifications/initialized') subscriptions.start();
        if (message?.['method'] === 'logging/setLevel') wantsLogs = true;
        return transport.handleRequest(request, message === undefined ? {} : { parsedBody: message });
      },
      abandon(message) {
        if (message['id'] === undefined || message['method'] === undefined) return;
        const params = { requestId: message['id'], reason: 'the client hung up' };
        transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
      },
      hold() {
        entry.heldCount += 1;
        return () => {
          entry.heldCount -= 1;
          entry.usedAt = clock.now();
        };
      },
      async end() {
        subscriptions.stop();
        for (const controller of running.values()) controller.abort();
        await transport.close();
      },
    };
    return { entry, server, connect: () => server.connect(transport) };
  }

  return {
    get count() {
      return entries.size;
    },
    find(id, caller) {
      const entry = entries.get(id);
      if (entry === undefined || !isSameCaller(entry.caller, caller)) return undefined;
      if (isIdle(entry)) {
        drop(id);
        return undefined;
      }
      entry.usedAt = clock.now();
      return entry;
    },
    async open(sdk, caller) {
      const { entry, connect } = createEntry(sdk, caller, ids.uuid());
      await connect();
      return entry;
    },
    async close() {
      clearInterval(sweep);
      for (const id of [...entries.keys()]) drop(id);
    },
  };
}
