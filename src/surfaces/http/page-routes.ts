import type { FastifyInstance } from 'fastify';
import { metadataPath, toResourceMetadata } from '#kernel/access/resource-metadata.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Authenticate } from './authenticate.ts';
import { originOf } from './error-responses.ts';
import type { CheckReadiness } from './health-routes.ts';
import { isLocalRequest } from './host-guard.ts';
import type { HttpDeps, UnservedFile } from './http-deps.ts';
import type { Metrics } from './metrics.ts';
import { renderStatusPage, statusPagePolicy } from './status-page.ts';

export interface PageDeps
  extends Pick<HttpDeps, 'registry' | 'meter' | 'clock' | 'settings' | 'about' | 'unservedFiles' | 'log'> {
  readonly authenticate: Authenticate;
  readonly checkReadiness: CheckReadiness;
  readonly metrics: Metrics;
}

/** Pages about the server itself: the same for everyone, without tenant data. */
export function addPageRoutes(app: FastifyInstance, deps: PageDeps): void {
  const { registry, meter, clock, settings, about, authenticate, checkReadiness, metrics } = deps;
  let toolsJson: string | undefined;

  async function findUnserved(): Promise<readonly UnservedFile[]> {
    try {
      return (await deps.unservedFiles?.()) ?? [];
    } catch (error) {
      deps.log.warn({ error }, 'could not check the instruction files for the status page');
      return [{ file: 'instructions', problem: 'could not be read; the log says why' }];
    }
  }

  app.get('/', async ({ raw: req }, reply) =>
    reply
      .header('content-security-policy', statusPagePolicy)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(
        renderStatusPage({
          version: about.version,
          uptimeMs: clock.now() - about.startedAt,
          // Paths and file names are for the local user only.
          dataFolder: isLocalRequest(req, settings) ? about.dataFolder : undefined,
          unserved: isLocalRequest(req, settings) ? await findUnserved() : [],
          readiness: await checkReadiness(),
          cards: registry.cards,
          stats: meter.snapshot(),
          mcpUrl: settings.oauth?.resource ?? `${originOf(req)}/mcp`,
          needsKey: settings.auth,
          stdioCommand: about.stdioCommand ?? ['fourfold'],
          metricsPath: settings.metrics ? settings.metricsPath : undefined,
        }),
      ),
  );

  app.get('/tools.json', async (_request, reply) => {
    toolsJson ??= JSON.stringify({ version: about.version, count: registry.cards.length, tools: registry.cards });
    return reply.header('cache-control', 'no-cache').type('application/json').send(toolsJson);
  });

  if (settings.metrics) {
    app.get(settings.metricsPath, async ({ raw: req }, reply) => {
      if (!isLocalRequest(req, settings)) {
        const caller = await authenticate(req);
        if (caller instanceof Fault) throw caller;
      }
      const { type, body } = await metrics.text();
      return reply.header('cache-control', 'no-store').type(type).send(body);
    });
  }

  for (const path of [metadataPath, `${metadataPath}/mcp`]) {
    app.get(path, async ({ raw: req }, reply) => {
      const { oauth } = settings;
      if (oauth === undefined) throw faults.NOT_FOUND({ what: 'OAuth is not set up on this server' });
      return reply.header('cache-control', 'no-cache').send(toResourceMetadata(oauth, originOf(req)));
    });
  }
}
