import type { IncomingMessage } from 'node:http';
import type { Access } from '#kernel/access/access.ts';
import { isSessionText } from '#kernel/access/api-key.ts';
import type { WrongKeys } from '#kernel/access/wrong-keys.ts';
import { type Caller, localTenant } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Connections } from './connections.ts';
import { isForwarded } from './host-guard.ts';

/** Synchronous for a recently verified caller: every call passes here, so it avoids a needless promise. */
export type Authenticate = (req: IncomingMessage) => Caller | Fault | Promise<Caller | Fault>;

const scheme = 'bearer ';

/** The credential of the Authorization header; never one from the URL, which ends up in logs and histories. */
export function bearerOf(req: IncomingMessage): string | undefined {
  const header = req.headers.authorization;
  if (header === undefined || header.length <= scheme.length) return undefined;
  return header.slice(0, scheme.length).toLowerCase() === scheme ? header.slice(scheme.length).trim() : undefined;
}

/** Cookies ignore ports, so two servers on one machine need two names. */
export const sessionCookie = ({ socket }: IncomingMessage): string => `fourfold_${socket.localPort}`;

export function cookieOf(req: IncomingMessage, name: string): string | undefined {
  const start = `${name}=`;
  const pair = req.headers.cookie?.split(';').find((part) => part.trimStart().startsWith(start));
  return pair?.trim().slice(start.length);
}

/** The session of a signed-in browser. */
export function sessionOf(req: IncomingMessage): string | undefined {
  const text = cookieOf(req, sessionCookie(req));
  return text !== undefined && isSessionText(text) ? text : undefined;
}

/** A browser says where a request comes from. Pages of other origins must not act with the cookie of this one. */
export const isOfOwnPage = ({ method, headers }: IncomingMessage): boolean => {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return method === 'GET' || headers.origin !== undefined;
};

/** What proves the sender: the Authorization header, or the cookie of a page of this server. */
export function credentialOf(req: IncomingMessage): string | undefined {
  const bearer = bearerOf(req);
  // The text of a session is a credential only as a cookie, which scripts cannot read.
  if (bearer !== undefined) return isSessionText(bearer) ? '' : bearer;
  return isOfOwnPage(req) ? sessionOf(req) : undefined;
}

/** On a loopback port without authentication the caller is the local user, as on stdio. */
const unproven: Caller = { tenant: localTenant, actor: 'http', scopes: new Set(['admin']) };

export function createAuthenticate(
  access: Access,
  isOn: boolean,
  { prove }: Pick<Connections, 'prove'>,
  wrongKeys: WrongKeys,
): Authenticate {
  /** A browser may be signed in here too: then the calls are those of a person. */
  async function signedInOr(session: string, otherwise: Caller): Promise<Caller> {
    const caller = await access.verify(session);
    return caller instanceof Fault ? otherwise : caller;
  }

  if (!isOn) {
    return (req) => {
      if (isForwarded(req))
        return faults.UNAUTHORIZED({ why: 'without keys this server takes no requests from a proxy' });
      const session = isOfOwnPage(req) ? sessionOf(req) : undefined;
      return session === undefined ? unproven : (access.recall(session) ?? signedInOr(session, unproven));
    };
  }

  async function verify({ socket }: IncomingMessage, bearer: string): Promise<Caller | Fault> {
    const caller = await access.verify(bearer);
    if (!(caller instanceof Fault)) {
      prove(socket);
      return caller;
    }
    if (caller.kind !== faults.UNAUTHORIZED.kind) return caller;
    return (await wrongKeys.delay(socket.remoteAddress ?? '', bearer)) ?? caller;
  }

  return (req) => {
    const bearer = credentialOf(req);
    if (bearer === undefined) return faults.UNAUTHORIZED({ why: 'the request has no key' });
    const known = access.recall(bearer);
    if (known === undefined) return verify(req, bearer);
    prove(req.socket);
    return known;
  };
}
