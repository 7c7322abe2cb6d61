import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Access } from '#kernel/access/access.ts';
import { accessLimits } from '#kernel/access/access-limits.ts';
import type { WrongKeys } from '#kernel/access/wrong-keys.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { httpFaults } from '#kernel/fault/http-faults.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { isJson } from './api-routes.ts';
import { isOfOwnPage, sessionCookie, sessionOf } from './authenticate.ts';
import { readBody } from './read-body.ts';

export interface SessionDeps {
  readonly access: Access;
  readonly clock: Clock;
  readonly wrongKeys: WrongKeys;
}

/** A credential and its quotation marks. */
const bodyBytes = accessLimits.bearerChars + 100;

export function toSessionCookie(req: IncomingMessage, value: string, maxAgeS: number, isSecure: boolean): string {
  return [
    `${sessionCookie(req)}=${value}`,
    ...['Path=/', 'HttpOnly', 'SameSite=Strict', `Max-Age=${maxAgeS}`],
    ...(isSecure ? ['Secure'] : []),
  ].join('; ');
}

/** Only a page sends an origin, and it names the protocol that the browser sees. */
const toCookie = (req: IncomingMessage, value: string, maxAgeS: number): string =>
  toSessionCookie(req, value, maxAgeS, req.headers.origin?.startsWith('https:') ?? false);

async function readCredential(req: IncomingMessage): Promise<string> {
  if (!isJson(req.headers['content-type'])) throw httpFaults.UNSUPPORTED_MEDIA();
  const body = await readBody(req, bodyBytes);
  if (body === 'too-large') throw faults.RESOURCE_LIMIT({ what: 'The body', limit: bodyBytes, unit: 'bytes' });
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString());
  } catch {
    throw faults.PARSE_ERROR({ why: 'the body is not JSON' });
  }
  const credential = typeof parsed === 'object' && parsed !== null && 'credential' in parsed && parsed.credential;
  if (typeof credential !== 'string') throw faults.INVALID_PARAMS({ why: 'the body must be { "credential": "…" }' });
  return credential.trim();
}

/** Signs a browser in and out. Everything else that the dashboard does is a call of a tool. */
export function addSessionRoutes(app: FastifyInstance, { access, clock, wrongKeys }: SessionDeps): void {
  app.post('/api/session', async ({ raw: req }, reply) => {
    if (!isOfOwnPage(req)) throw httpFaults.FOREIGN_ORIGIN();
    const credential = await readCredential(req);
    const signedIn = await access.signIn(credential);
    if (signedIn instanceof Fault)
      throw (await wrongKeys.delay(req.socket.remoteAddress ?? '', credential)) ?? signedIn;
    const { text, key, expiresAt } = signedIn;
    return reply
      .header('set-cookie', toCookie(req, text, Math.floor((expiresAt - clock.now()) / 1000)))
      .header('cache-control', 'no-store')
      .send({ id: key.id, name: key.name, scopes: key.scopes, expires_at: new Date(expiresAt).toISOString() });
  });

  app.delete('/api/session', async ({ raw: req }, reply) => {
    if (!isOfOwnPage(req)) throw httpFaults.FOREIGN_ORIGIN();
    const session = sessionOf(req);
    if (session !== undefined) await access.signOut(session);
    return reply
      .header('set-cookie', toCookie(req, '', 0))
      .header('cache-control', 'no-store')
      .send({ signedOut: true });
  });
}
