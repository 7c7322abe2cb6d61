import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createAccess } from '#kernel/access/access.ts';
import type { CodeFlow } from '#kernel/access/code-flow.ts';
import { type Caller, localTenant, type Scope, type TenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import { createIds } from '#kernel/ids/ids.ts';
import { createKeys } from '#kernel/keys/keys.ts';
import { createLimiter } from '#kernel/limiter/limiter.ts';
import { createLogFixture } from '#kernel/log/log.ts';
import type { Change, Storage } from '#kernel/storage/port.ts';
import { openSqlite } from '#kernel/storage/sqlite/open.ts';
import { createInvoke } from '#kernel/tool/invoke.ts';
import { createToolMeter } from '#kernel/tool/meter.ts';
import { migrations } from '#migrations/all.ts';
import type { ChangeFeed, HttpDeps, HttpSettings, McpHandler } from '#surfaces/http/http-deps.ts';
import { type HttpLimits, httpLimits } from '#surfaces/http/http-limits.ts';
import { startHttp } from '#surfaces/http/start-http.ts';
import { createTestRegistry } from './test-tools.ts';

/** Talks to the server byte by byte, as no HTTP client would. */
export async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Everything the server sends until it closes. */
export async function readToEnd(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A reset counts as the end too: the bytes before it are kept.
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks).toString();
}

/** Sends the text and waits for the server to close the connection. */
export async function say(port: number, text: string): Promise<string> {
  const socket = await openSocket(port);
  const answer = readToEnd(socket);
  socket.write(text);
  return answer;
}

export const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);

export const bodyOf = (answer: string): unknown => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));

/** Each subscriber continues after the last seq it saw, whichever process committed. */
function createFeed(storage: Storage): ChangeFeed {
  return {
    since: (tenant, seq, limit) => storage.changesSince(tenant, undefined, seq, limit),
    subscribe(tenant: TenantId, listener: (change: Change) => void) {
      let seq: number | undefined;
      const begun = storage.changesSince(tenant, undefined, 0, 10_000).then((past) => {
        seq ??= past.at(-1)?.seq ?? 0;
      });
      return storage.watch(() => {
        void begun.then(async () => {
          for (const change of await storage.changesSince(tenant, undefined, seq ?? 0, 1_000)) {
            if (change.seq <= (seq ?? 0)) continue;
            seq = change.seq;
            listener(change);
          }
        });
      });
    },
  };
}

/** Answers with what arrived; holds GET open as an event stream. */
function createEcho() {
  const streams = new Set<ServerResponse>();
  const seen: { body: Buffer; caller: Caller }[] = [];
  let heldCount = 0;
  const echo: McpHandler & { readonly seen: typeof seen; hold: Promise<void> | undefined; heldAtClose?: number } = {
    seen,
    hold: undefined,
    async handle(req: IncomingMessage, res: ServerResponse, body: Buffer, caller: Caller) {
      seen.push({ body, caller });
      if (req.method === 'GET') {
        streams.add(res.writeHead(200, { 'content-type': 'text/event-stream' }));
        res.write(': open\n\n');
        return;
      }
      if (body.includes('explode')) throw new Error('the secret is swordfish');
      heldCount += 1;
      await echo.hold;
      heldCount -= 1;
      res.writeHead(200, { 'content-type': 'application/json' }).end(body);
    },
    async close() {
      echo.heldAtClose = heldCount;
      for (const res of streams) res.end();
    },
  };
  return echo;
}

export interface HttpFixtureOptions {
  readonly settings?: Partial<HttpSettings>;
  readonly limits?: Partial<HttpLimits>;
  readonly ready?: HttpDeps['health']['ready'];
  readonly metricSources?: HttpDeps['metricSources'];
  readonly openSigned?: HttpDeps['openSigned'];
  readonly dashboardFolder?: string;
  codeFlow?(deps: Pick<HttpDeps, 'clock' | 'log'>): CodeFlow;
}

export async function openHttpFixture({
  settings,
  limits,
  ready,
  metricSources = [],
  openSigned,
  dashboardFolder = '/nowhere',
  codeFlow,
}: HttpFixtureOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'fourfold-http-'));
  const clock = createManualClock();
  const log = createLogFixture();
  const storage = openSqlite({
    file: join(folder, 'store.db'),
    migrations,
    clock,
    log,
    auditKey: Buffer.alloc(32),
  });
  const ids = createIds(clock);
  const meter = createToolMeter();
  const started = Promise.withResolvers<void>();
  const cancelled = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const registry = createTestRegistry({
    storage,
    waiting: { started: started.resolve, cancelled: cancelled.resolve, until: released.promise },
  });
  const invoke = createInvoke({
    registry,
    meter,
    clock,
    ids,
    limiter: createLimiter(clock),
    permits: { mutation: true, readOnly: false },
    reportBug: ({ id, tool, error }) => log.error({ id, tool, error }, 'bug'),
  });
  const oauth = settings?.oauth;
  /** Each acts as a separate process: it shares only the store. */
  const openAccess = () => createAccess({ storage, keys: createKeys(Buffer.alloc(32, 1)), clock, log, oauth });
  const access = openAccess();
  const mcp = createEcho();
  const deps: HttpDeps = {
    registry,
    invoke,
    meter,
    log,
    clock,
    ids,
    mcp,
    access,
    codeFlow: codeFlow?.({ clock, log }),
    changes: createFeed(storage),
    health: { ready: ready ?? (async () => ({ ok: true, checks: { store: 'reachable' } })) },
    settings: {
      host: '127.0.0.1',
      port: 0,
      tries: 0,
      auth: true,
      allowedHosts: [],
      allowedOrigins: [],
      bodyBytes: 64 * 1024,
      metrics: true,
      metricsPath: '/metrics',
      metricsAuth: 'loopback',
      ...settings,
    },
    metricSources,
    dashboardFolder,
    ...(openSigned === undefined ? {} : { openSigned }),
    about: { version: '1.2.3-test', dataFolder: folder, startedAt: clock.now() },
  };
  const makeKey = async (scopes: readonly Scope[] = ['write'], tenant = localTenant, expiresAt?: number) =>
    (await access.createKey({ tenant, name: 'test', scopes, expiresAt })).text;
  const key = await makeKey();
  const server = await startHttp(deps, { ...httpLimits, ...limits });
  onTestFinished(async () => {
    released.resolve();
    await server.close();
    await storage.close();
    rmSync(folder, { recursive: true });
  });

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const get = (path: string, headers: Record<string, string> = {}) => fetch(`${server.url}${path}`, { headers });
  return {
    ...deps,
    access,
    openAccess,
    mcp,
    clock,
    log,
    storage,
    folder,
    server,
    key,
    makeKey,
    post,
    get,
    deps,
    started,
    cancelled,
    released,
  };
}

export type HttpFixture = Awaited<ReturnType<typeof openHttpFixture>>;
