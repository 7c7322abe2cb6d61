import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { createWrongKeys } from '#kernel/access/wrong-keys.ts';
import { httpFaults } from '#kernel/fault/http-faults.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { toUrl } from './addresses.ts';
import { addApiRoutes } from './api-routes.ts';
import { createAuthenticate } from './authenticate.ts';
import { type Connections, limitConnections } from './connections.ts';
import { type CredentialWatch, createCredentialWatch, noCredentialWatch } from './credential-watch.ts';
import { addDashboardRoutes } from './dashboard-routes.ts';
import { createErrorResponder, securityHeaders } from './error-responses.ts';
import { createEventStreams, type EventStreams } from './event-streams.ts';
import { addHealthRoutes, createReadiness } from './health-routes.ts';
import { createHostGuard, isLoopbackHost } from './host-guard.ts';
import type { HttpDeps, McpHandler } from './http-deps.ts';
import { type HttpLimits, httpLimits } from './http-limits.ts';
import { listen } from './listen.ts';
import { createMcpRoute, type McpRoute } from './mcp-route.ts';
import { createMetrics } from './metrics.ts';
import { addOAuthRoutes } from './oauth-routes.ts';
import { addPageRoutes } from './page-routes.ts';
import { createRequestGate } from './request-gate.ts';
import { addSessionRoutes } from './session-routes.ts';
import { filesPath, serveSigned } from './signed-files.ts';

interface ShutDownDeps {
  readonly mcp: McpHandler;
  readonly mcpRoute: McpRoute;
  readonly events: EventStreams;
  readonly credentials: CredentialWatch;
  readonly connections: Connections;
}

const idleSweepMs = 20;

/**
 * Accepts no new connections, lets running calls finish, ends streams, then closes; after `maxMs` it closes by force.
 */
async function shutDown(server: Server, deps: ShutDownDeps, maxMs: number): Promise<void> {
  const { mcp, mcpRoute, events, credentials, connections } = deps;
  const cutOff = Promise.withResolvers<void>();
  const timer = setTimeout(cutOff.resolve, maxMs);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection whose last answer just left becomes idle only now.
  const sweep = setInterval(() => server.closeIdleConnections(), idleSweepMs);
  try {
    // Node counts them as busy, so closing would wait for their timeout.
    for (const socket of connections.silent()) socket.destroy();
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

export interface HttpServer {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** The router's own errors (a URL that cannot be decoded) are the client's; anything else it throws is a bug. */
const toHttpFault = (error: unknown): unknown => {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  if (typeof status !== 'number' || status >= 500) return error;
  return status === 415 ? httpFaults.UNSUPPORTED_MEDIA() : faults.INVALID_REQUEST({ why: 'the URL cannot be decoded' });
};

const createHttpServer = (limits: HttpLimits): Server =>
  createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.connectionsCheckMs,
  });

export async function startHttp(deps: HttpDeps, limits: HttpLimits = httpLimits): Promise<HttpServer> {
  const { settings, access, mcp, log } = deps;
  if (!settings.auth && !isLoopbackHost(settings.host)) {
    throw faults.CONFIG_ERROR({ why: `without keys the server may listen only on loopback, not on ${settings.host}` });
  }
  const { fastify } = await import('fastify');
  let closing: Promise<void> | undefined;
  const isClosing = () => closing !== undefined;

  const errors = createErrorResponder(deps, limits);
  const server = createHttpServer(limits);
  const connections = limitConnections(server, limits.connectionsCount);
  const wrongKeys = createWrongKeys(deps.clock);
  const authenticate = createAuthenticate(access, settings.auth, connections, wrongKeys);
  const credentials = settings.auth ? createCredentialWatch(access, limits.credentialCheckMs) : noCredentialWatch;
  const events = createEventStreams(deps.changes, limits);
  const mcpRoute = createMcpRoute({ mcp, authenticate, credentials, errors, bodyBytes: settings.bodyBytes });
  const checkReadiness = createReadiness(deps, limits);
  const metrics = createMetrics({
    ...deps,
    refusals: errors.counts,
    eventStreams: events,
    metricSources: [...connections.metrics, ...(deps.metricSources ?? [])],
  });

  const answerError = (error: unknown, request: { readonly raw: IncomingMessage }, reply: FastifyReply) =>
    errors.respond(request.raw, reply.hijack().raw, toHttpFault(error), 'numeric');

  const app: FastifyInstance = fastify({
    serverFactory: () => server,
    requestIdHeader: false,
    frameworkErrors: answerError,
  });
  // The routes read bodies themselves, with this surface's limits and timeouts.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.addHook('onRequest', async (_request, reply) => void reply.headers(securityHeaders));
  app.setErrorHandler(answerError);
  app.setNotFoundHandler((request, reply) =>
    answerError(
      faults.NOT_FOUND(
        { what: 'there is nothing at this address' },
        { fix: 'Tools are at POST /api/tools/<name>, MCP is at /mcp, the dashboard at /.' },
      ),
      request,
      reply,
    ),
  );
  addSessionRoutes(app, { access, clock: deps.clock, wrongKeys });
  addOAuthRoutes(app, { ...deps, publicOrigin: settings.publicOrigin });
  addApiRoutes(app, { ...deps, authenticate, credentials, events, errors });
  addDashboardRoutes(app, deps.dashboardFolder);
  addHealthRoutes(app, checkReadiness, isClosing);
  addPageRoutes(app, { ...deps, authenticate, metrics });
  const { openSigned } = deps;
  if (openSigned !== undefined) {
    app.all(`${filesPath}*`, async ({ raw: req }, reply) => {
      await serveSigned({ openSigned, log }, req, reply.hijack().raw);
      return reply;
    });
  }
  await app.ready();

  const guard = createHostGuard(settings);
  const { corsMaxAgeS } = limits;
  const route: RequestListener = (req, res) => app.routing(req, res);
  server.on('request', createRequestGate({ guard, errors, mcpRoute, corsMaxAgeS, route, isClosing, connections }));
  const port = await listen(server, settings.host, settings.port, settings.tries).catch(async (error: unknown) => {
    await app.close();
    throw error;
  });
  const url = toUrl(settings.host, port);
  log.info({ url }, 'listening');

  async function close(): Promise<void> {
    await shutDown(server, { mcp, mcpRoute, events, credentials, connections }, limits.shutdownMs);
    await app.close();
  }

  return {
    url,
    port,
    close() {
      closing ??= close();
      return closing;
    },
  };
}
