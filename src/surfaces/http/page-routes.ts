import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { metadataPath, toResourceMetadata } from '#kernel/access/resource-metadata.ts';
import { localTenant } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Authenticate } from './authenticate.ts';
import { originOf } from './error-responses.ts';
import { isLocalRequest } from './host-guard.ts';
import type { HttpDeps } from './http-deps.ts';
import type { Metrics } from './metrics.ts';

export interface PageDeps extends Pick<HttpDeps, 'registry' | 'settings' | 'about'> {
  readonly authenticate: Authenticate;
  readonly metrics: Metrics;
}

/** Pages about the server itself, without tenant data. */
export function addPageRoutes(app: FastifyInstance, deps: PageDeps): void {
  const { registry, settings, about, authenticate, metrics } = deps;
  let toolsJson: string | undefined;

  /** The metrics count the calls of all tenants. */
  async function demandLocalKey(req: IncomingMessage): Promise<void> {
    const caller = await authenticate(req);
    if (caller instanceof Fault) throw caller;
    if (caller.tenant === localTenant) return;
    const why = 'the metrics of the whole server require a key of the tenant local';
    throw faults.PERMISSION_DENIED(
      { why },
      { fix: 'Create one with fourfold keys create --name prometheus --scopes read.' },
    );
  }

  app.get('/tools.json', async (_request, reply) => {
    toolsJson ??= JSON.stringify({ version: about.version, count: registry.cards.length, tools: registry.cards });
    return reply.header('cache-control', 'no-cache').type('application/json').send(toolsJson);
  });

  if (settings.metrics) {
    app.get(settings.metricsPath, async ({ raw: req }, reply) => {
      if (settings.metricsAuth === 'key' || !isLocalRequest(req, settings)) await demandLocalKey(req);
      const { type, body } = await metrics.text();
      return reply.header('cache-control', 'no-store').type(type).send(body);
    });
  }

  for (const path of [metadataPath, `${metadataPath}/mcp`]) {
    app.get(path, async ({ raw: req }, reply) => {
      const { oauth } = settings;
      if (oauth === undefined) {
        const fix = 'Send "Authorization: Bearer <key>" with a key of this server, or set oauthIssuer.';
        throw faults.NOT_FOUND({ what: 'OAuth is not set up on this server' }, { fix });
      }
      return reply.header('cache-control', 'no-cache').send(toResourceMetadata(oauth, originOf(req)));
    });
  }
}
