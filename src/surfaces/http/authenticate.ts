import type { IncomingMessage } from 'node:http';
import type { Access } from '#kernel/access/access.ts';
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

/** On a loopback port without authentication the caller is the local user, as on stdio. */
const unproven: Caller = { tenant: localTenant, actor: 'http', scopes: new Set(['admin']) };

export function createAuthenticate(
  access: Access,
  isOn: boolean,
  { prove }: Pick<Connections, 'prove'>,
  wrongKeys: WrongKeys,
): Authenticate {
  if (!isOn) {
    return (req) =>
      isForwarded(req)
        ? faults.UNAUTHENTICATED({ why: 'without keys this server takes no requests from a proxy' })
        : unproven;
  }

  async function verify({ socket }: IncomingMessage, bearer: string): Promise<Caller | Fault> {
    const caller = await access.verify(bearer);
    if (!(caller instanceof Fault)) {
      prove(socket);
      return caller;
    }
    if (caller.kind !== faults.UNAUTHENTICATED.kind) return caller;
    return (await wrongKeys.delay(socket.remoteAddress ?? '', bearer)) ?? caller;
  }

  return (req) => {
    const bearer = bearerOf(req);
    if (bearer === undefined) return faults.UNAUTHENTICATED({ why: 'the request has no key' });
    const known = access.recall(bearer);
    if (known === undefined) return verify(req, bearer);
    prove(req.socket);
    return known;
  };
}
