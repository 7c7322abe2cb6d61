import type { App } from '#app/compose.ts';
import { noteServedAddress } from '#app/served-address.ts';
import type { Settings } from '#config/settings.ts';
import { localTenant } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { toSignInLink } from '#surfaces/http/addresses.ts';
import { toConnectLines } from '#surfaces/http/connect-lines.ts';
import { openHttp, stdioCommand } from './open-http.ts';
import { untilSignalled } from './signals.ts';

/** A key for the first client; later starts cannot show it again, because only its hash is stored. */
async function firstKey(app: App): Promise<string | undefined> {
  const access = app.access();
  if ((await access.listKeys(localTenant)).length > 0) return undefined;
  try {
    const { text } = await access.createKey({ tenant: localTenant, name: 'first', scopes: ['admin'] });
    return text;
  } catch (error) {
    // A store that cannot be written still serves reads, to clients with a token or without authentication.
    if (!(error instanceof Fault)) throw error;
    app.log.error({ reason: error.message }, 'could not create the first API key');
    return undefined;
  }
}

/** Signs the browser of the person at the terminal in. */
export async function signInLink(app: App, url: string): Promise<string | undefined> {
  try {
    const { text } = await app.access().createLink({ tenant: localTenant, scopes: ['admin'] });
    return toSignInLink(url, text);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    app.log.error({ reason: error.message }, 'could not create a sign-in link');
    return undefined;
  }
}

interface Credentials {
  readonly key: string | undefined;
  readonly link: string | undefined;
}

function greeting(app: App, settings: Settings, url: string, { key, link }: Credentials): string {
  const lines = toConnectLines({
    mcpUrl: `${url}/mcp`,
    needsKey: settings.auth,
    stdioCommand: stdioCommand(),
    ...(key === undefined ? {} : { key }),
  });
  const keyLine = key ?? 'shown at the first start; create another with fourfold keys create';
  return [
    `Fourfold ${app.version} serves ${url}`,
    `  data folder  ${app.home}`,
    ...(settings.auth ? [`  key          ${keyLine}`] : []),
    '',
    'Connect a client:',
    ...lines.flatMap(({ client, place, text }) => ['', `${client}, ${place}:`, text.replace(/^/gm, '  ')]),
    '',
    // Last, because the lines above fill a terminal.
    ...(link === undefined ? [`Dashboard: ${url}`] : ['Dashboard, signed in (once, within ten minutes):', `  ${link}`]),
    '',
    '',
  ].join('\n');
}

/** Serves until a signal arrives. If the store cannot be opened, it ends before opening the port. */
export async function runServe(app: App, settings: Settings, print: (text: string) => void): Promise<void> {
  await app.storage.opened();
  const key = settings.auth ? await firstKey(app) : undefined;
  const server = await openHttp(app, settings);
  app.filesAddress.servedBy(async () => server.url);
  const removeNote = noteServedAddress(app.home, server.url, app.log);
  await app.startJobs();
  const link = await signInLink(app, server.url);
  print(greeting(app, settings, server.url, { key, link }));
  await untilSignalled();
  removeNote();
  await server.close();
}
