import type { App } from '#app/compose.ts';
import { oauthSettings } from '#app/oauth.ts';
import type { Settings } from '#config/settings.ts';
import { httpLimits } from '#surfaces/http/http-limits.ts';
import { type HttpServer, startHttp } from '#surfaces/http/start-http.ts';
import { createMcpHttp } from '#surfaces/mcp/http.ts';
import { toMcpDeps } from './mcp-deps.ts';
import { stdioCommand } from './stdio-command.ts';

/** Opens the port with everything that is served there. */
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
      changes: app.changes,
      openSigned: app.openSigned,
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
        oauth: oauthSettings(settings),
      },
      about: { version: app.version, dataFolder: app.home, startedAt: app.clock.now(), stdioCommand: stdioCommand() },
    },
    { ...httpLimits, shutdownMs: settings.shutdownMs },
  );
