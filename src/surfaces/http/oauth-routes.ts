import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Access } from '#kernel/access/access.ts';
import { accessLimits } from '#kernel/access/access-limits.ts';
import type { CodeFlow } from '#kernel/access/code-flow.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { Fault } from '#kernel/fault/fault.ts';
import type { Log } from '#kernel/log/log.ts';
import { cookieOf, sessionCookie } from './authenticate.ts';
import { originOf } from './error-responses.ts';
import { toSessionCookie } from './session-routes.ts';

export interface OAuthRouteDeps {
  readonly access: Access;
  readonly clock: Clock;
  readonly log: Log;
  /** Undefined if people do not sign in at an authorization server. */
  readonly codeFlow?: CodeFlow | undefined;
  /** The origin that browsers see, if it is not the one of the request. */
  readonly publicOrigin?: string | undefined;
}

const startPath = '/api/session/oauth';
const callbackPath = `${startPath}/callback`;

const pendingCookie = (req: IncomingMessage): string => `${sessionCookie(req)}_oauth`;
const pendingState = z.object({ state: z.string(), verifier: z.string(), from: z.string() });
type Pending = z.infer<typeof pendingState>;

function pendingOf(req: IncomingMessage): Pending | undefined {
  try {
    const text = Buffer.from(cookieOf(req, pendingCookie(req)) ?? '', 'base64url').toString();
    return pendingState.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Only a path of this server: another address would make the sign-in a trap. */
const toOwnPath = (path: unknown): string =>
  typeof path === 'string' && path.length <= accessLimits.returnPathChars && /^\/(?![/\\])[\x21-\x7e]*$/.test(path)
    ? path
    : '/';

/** What the sign-in page explains; the words come from the page, so that an address cannot put text on it. */
type Problem = 'denied' | 'expired' | 'refused' | 'unavailable';

/** Signs people in at the authorization server of the settings. */
export function addOAuthRoutes(app: FastifyInstance, deps: OAuthRouteDeps): void {
  const { access, clock, log, codeFlow, publicOrigin } = deps;
  app.get('/api/session', async (_request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .send(codeFlow === undefined ? {} : { oauth: { host: codeFlow.host, path: startPath } }),
  );
  if (codeFlow === undefined) return;

  const originFor = (req: IncomingMessage): string => publicOrigin ?? originOf(req);
  const redirectUriFor = (req: IncomingMessage): string => `${originFor(req)}${callbackPath}`;
  const isSecure = (req: IncomingMessage): boolean => originFor(req).startsWith('https:');

  /** Lax, because the browser comes back from another site. */
  const toPendingCookie = (req: IncomingMessage, value: string, maxAgeS: number): string =>
    [
      `${pendingCookie(req)}=${value}`,
      ...[`Path=${startPath}`, 'HttpOnly', 'SameSite=Lax', `Max-Age=${maxAgeS}`],
      ...(isSecure(req) ? ['Secure'] : []),
    ].join('; ');

  const finish = async (req: IncomingMessage, query: URLSearchParams): Promise<{ session: string } | Problem> => {
    const pending = pendingOf(req);
    if (pending === undefined || query.get('state') !== pending.state) return 'expired';
    // RFC 9207: an answer of another authorization server must not be used with this one.
    if ((query.get('iss') ?? codeFlow.issuer) !== codeFlow.issuer) return 'refused';
    const code = query.get('code');
    if (code === null) return query.get('error') === 'access_denied' ? 'denied' : 'refused';
    const token = await codeFlow.finish({ code, verifier: pending.verifier, redirectUri: redirectUriFor(req) });
    const signedIn = await access.signIn(token);
    if (signedIn instanceof Fault) throw signedIn;
    const maxAgeS = Math.floor((signedIn.expiresAt - clock.now()) / 1000);
    return { session: toSessionCookie(req, signedIn.text, maxAgeS, isSecure(req)) };
  };

  function toProblem(error: unknown): Problem {
    if (!(error instanceof Fault)) throw error;
    log.warn({ reason: error.message }, 'a person could not sign in by OAuth');
    return error.kind.retryable ? 'unavailable' : 'refused';
  }

  const send = (reply: FastifyReply, to: string, cookies: readonly string[]) =>
    reply
      .header('cache-control', 'no-store')
      .header('set-cookie', [...cookies])
      .redirect(to, 302);

  app.get(startPath, async ({ raw: req, query }, reply) => {
    const from = toOwnPath((query as Record<string, unknown>)['from']);
    try {
      const { url, state, verifier } = await codeFlow.begin(redirectUriFor(req));
      const value = Buffer.from(JSON.stringify({ state, verifier, from } satisfies Pending)).toString('base64url');
      return await send(reply, url, [toPendingCookie(req, value, accessLimits.linkMs / 1000)]);
    } catch (error) {
      return send(reply, `/sign-in?problem=${toProblem(error)}`, []);
    }
  });

  app.get(callbackPath, async ({ raw: req }, reply) => {
    const { searchParams } = new URL(req.url ?? '', 'http://localhost');
    const from = pendingOf(req)?.from;
    const outcome = await finish(req, searchParams).catch(toProblem);
    const forget = toPendingCookie(req, '', 0);
    return typeof outcome === 'string'
      ? send(reply, `/sign-in?problem=${outcome}`, [forget])
      : send(reply, toOwnPath(from), [forget, outcome.session]);
  });
}
