import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export const profile = { id: 7, email: 'seven@example.com' };

export interface Provider {
  /** The settings for an application. */
  readonly settings: Readonly<Record<string, unknown>>;
  stop(): Promise<void>;
}

/** A local OAuth provider with one user. */
export async function startProvider(): Promise<Provider> {
  const answers: Readonly<Record<string, object>> = { '/token': { access_token: 'of-seven' }, '/profile': profile };
  const server = createServer(({ url = '', headers }, response) => {
    const isRefused = url === '/profile' && headers.authorization !== 'Bearer of-seven';
    response.writeHead(isRefused ? 401 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(isRefused ? {} : answers[url]));
  }).listen(0, 'localhost');
  await once(server, 'listening');
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    settings: {
      oauth: 2,
      key: 'our-key',
      secret: 'our-secret',
      authorize_url: `${url}/authorize`,
      access_url: `${url}/token`,
      profile_url: `${url}/profile`,
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Follows redirects from an address of the application to the last one: an external URL, or a page with a token. */
export function createBrowser(app: string): (address: string) => Promise<URL> {
  const cookies = new Map<string, string>();
  const stepsMax = 6;
  return async (address) => {
    let at = new URL(address, app);
    for (let step = 0; step < stepsMax; step += 1) {
      const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(at, { redirect: 'manual', headers: { Cookie } });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        cookies.set(name, value);
      }
      const next = response.headers.get('location');
      if (next === null)
        throw new Error(`${at.href} answers ${response.status}: ${(await response.text()).slice(0, 500)}`);
      at = new URL(next, at);
      if (at.origin !== app || at.hash !== '') return at;
    }
    throw new Error(`${address} sends on and on, at last to ${at.href}`);
  };
}
