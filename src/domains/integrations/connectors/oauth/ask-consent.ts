import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { integrationFaults } from '../../integration-faults.ts';
import type { ConsentGrant, OAuthService } from '../connector.ts';

export interface ConsentRequest {
  readonly clientId: string;
  /** Undefined for any free port. Most services compare the whole redirect URL with the registered one. */
  readonly redirectPort: number | undefined;
  readonly waitMs: number;
  readonly signal: AbortSignal;
  /** Shows the URL to the person. */
  show(url: string): void;
}

const loopback = '127.0.0.1';
const makeSecret = (): string => randomBytes(32).toString('base64url');

function toAuthorizeUrl(service: OAuthService, clientId: string, redirectUri: string, state: string, verifier: string) {
  const url = new URL(service.authorizeUrl);
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: service.scope,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end(`${text}\n`);
}

/** Waits until the browser comes back with the code. A request with another state is rejected, and the wait goes on. */
function waitForCode(server: ReturnType<typeof createServer>, state: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const url = URL.parse(request.url ?? '', `http://${loopback}`);
      if (url?.pathname !== '/callback' || request.method !== 'GET') return answer(response, 404, 'Not found');
      const { searchParams } = url;
      if (searchParams.get('state') !== state)
        return answer(response, 400, 'This answer does not belong to the login that is running.');
      const code = searchParams.get('code');
      if (code === null || code === '') {
        const error = /^\w{1,64}$/.exec(searchParams.get('error') ?? '')?.[0] ?? 'no code was sent';
        answer(response, 200, 'The access was not allowed. You can close this window.');
        return reject(integrationFaults.LOGIN_FAILED({ why: `the access was not allowed (${error})` }));
      }
      answer(response, 200, 'Connected. You can close this window.');
      resolve(code);
    });
  });
}

/** Authorization code flow with PKCE and a redirect to this machine (RFC 8252). */
export async function askConsent(
  service: OAuthService,
  { clientId, redirectPort = 0, waitMs, signal, show }: ConsentRequest,
): Promise<Pick<ConsentGrant, 'code' | 'verifier' | 'redirectUri'>> {
  const state = makeSecret();
  const verifier = makeSecret();
  const server = createServer();
  const timeout = AbortSignal.timeout(waitMs);
  const code = waitForCode(server, state, AbortSignal.any([signal, timeout]));
  // Until it is awaited below.
  code.catch(() => {});
  try {
    server.listen(redirectPort, loopback);
    await once(server, 'listening').catch((cause: unknown) => {
      const why = `port ${redirectPort} of this machine cannot be used`;
      throw faults.VALIDATION_ERROR({ why }, { field: 'redirectPort' }, { cause });
    });
    const redirectUri = `http://${loopback}:${(server.address() as AddressInfo).port}/callback`;
    show(toAuthorizeUrl(service, clientId, redirectUri, state, verifier));
    return { code: await code, verifier, redirectUri };
  } catch (error) {
    if (!signal.aborted && timeout.aborted)
      throw integrationFaults.LOGIN_FAILED({ why: `the access was not allowed within ${waitMs / 1_000} s` });
    throw error;
  } finally {
    server.close();
  }
}
