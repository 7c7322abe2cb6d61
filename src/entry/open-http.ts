import { fileURLToPath } from 'node:url';
import type { App } from '#app/compose.ts';
import { oauthCodeFlow, oauthSettings } from '#app/oauth.ts';
import type { Settings } from '#config/settings.ts';
import { httpLimits } from '#surfaces/http/http-limits.ts';
import { type HttpServer, startHttp } from '#surfaces/http/start-http.ts';
import { createMcpHttp } from '#surfaces/mcp/http.ts';
import { toMcpDeps } from './mcp-deps.ts';

/** The launcher: two folders up in the source, one up from the bundle. */
const launcher = new URL(
  import.meta.url.endsWith('.ts') ? '../../bin/fourfold.js' : '../bin/fourfold.js',
  import.meta.url,
);

/** Built into dist. */
const dashboard = new URL(import.meta.url.endsWith('.ts') ? '../../dist/dashboard/' : './dashboard/', import.meta.url);

/** How a client on this machine starts this program: with the running Node, which is new enough. */
export const stdioCommand = (): readonly string[] => [process.execPath, fileURLToPath(launcher)];

export const openHttp = (app: App, settings: Settings): Promise<HttpServer> =>
  startHttp(
    {
      registry: app.registry,
      invoke: app.invoke,
      meter: app.meter,
      log: app.log,
      clock: app.clock,
      ids: app.ids,
      mcp: createMcpHttp(toMcpDeps(app, settings)),
      access: app.access(),
      codeFlow: oauthCodeFlow(settings, app),
      changes: app.changes,
      openSigned: app.openSigned,
      dashboardFolder: fileURLToPath(dashboard),
      metricSources: app.metricSources,
      health: { ready: () => app.ready() },
      settings: {
        host: settings.host,
        port: settings.port,
        tries: settings.portTries,
        auth: settings.auth,
        allowedHosts: settings.allowedHosts,
        allowedOrigins: settings.allowedOrigins,
        bodyBytes: settings.bodyBytes,
        metrics: settings.metrics,
        metricsPath: settings.metricsPath,
        metricsAuth: settings.metricsAuth,
        oauth: oauthSettings(settings),
        publicOrigin: settings.oauthResource && new URL(settings.oauthResource).origin,
      },
      about: { version: app.version, dataFolder: app.home, startedAt: app.clock.now(), stdioCommand: stdioCommand() },
    },
    { ...httpLimits, shutdownMs: settings.shutdownMs },
  );
