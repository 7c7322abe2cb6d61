import { type App, compose } from '#app/compose.ts';
import type { ExtraToolset } from '#app/toolsets.ts';
import type { LoadedSettings } from '#config/load-settings.ts';
import type { Settings } from '#config/settings.ts';
import { localOwner } from '#kernel/call.ts';
import type { FilesServer } from '#surfaces/http/start-files.ts';
import { serveStdio } from '#surfaces/mcp/stdio.ts';
import { toMcpDeps } from './mcp-deps.ts';
import { warnAboutNearbyInstructions } from './nearby-instructions.ts';
import { untilSignalled } from './signals.ts';
import { realStdout } from './stdout-guard.ts';

/** Listing tools needs no store: it opens a moment later, so that errors still appear before the first call. */
const warmUpMs = 200;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** `--dashboard` with stdio: page and API on their own port; the URL goes to stderr. */
async function openDashboard(app: App, settings: Settings): Promise<{ close(): Promise<void> } | undefined> {
  if (settings.dashboard !== true) return undefined;
  const { openHttp } = await import('./open-http.ts');
  const { signInLink } = await import('./serve.ts');
  const server = await openHttp(app, settings);
  process.stderr.write(`fourfold: dashboard at ${(await signInLink(app, server.url)) ?? server.url}\n`);
  return server;
}

/** Signed URLs point to a loopback listener, which opens with the first of them. */
function serveFilesOnDemand(app: App): { close(): Promise<void> } {
  let server: Promise<FilesServer> | undefined;
  app.filesAddress.servedBy(async () => {
    const { startFiles } = await import('#surfaces/http/start-files.ts');
    server = startFiles(app);
    return (await server).url;
  });
  return {
    async close() {
      await (await server?.catch(() => undefined))?.close();
    },
  };
}

export async function runStdio(loaded: LoadedSettings, extraToolsets: readonly ExtraToolset[]): Promise<void> {
  const { settings, provenance, warnings } = loaded;
  const app = compose(settings, 'stdio', extraToolsets, provenance);
  app.checkFiles();
  for (const warning of warnings) process.stderr.write(`fourfold: ${warning}\n`);
  const connection = serveStdio(toMcpDeps(app, settings), {
    stdin: process.stdin,
    stdout: realStdout,
    caller: localOwner,
  });
  const files = serveFilesOnDemand(app);
  const dashboard = openDashboard(app, settings).catch((error: unknown) => {
    process.stderr.write(`fourfold: the dashboard failed to start: ${messageOf(error)}\n`);
    return undefined;
  });
  const warmUp = setTimeout(() => {
    void warnAboutNearbyInstructions(loaded);
    app.storage
      .opened()
      .then(() => app.startJobs())
      .catch((error: unknown) => process.stderr.write(`fourfold: ${messageOf(error)}\n`));
  }, warmUpMs).unref();
  await Promise.race([connection.done, untilSignalled()]);
  clearTimeout(warmUp);
  await connection.close();
  await (await dashboard)?.close();
  await files.close();
  await app.close();
}
