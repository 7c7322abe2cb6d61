import type { IncomingMessage } from 'node:http';
import type { Access } from '#kernel/access/access.ts';
import { type Caller, localTenant } from '#kernel/call.ts';
import type { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';

/** At once when the caller was here a moment ago: the road of every call has no place for a needless wait. */
export type Authenticate = (req: IncomingMessage) => Caller | Fault | Promise<Caller | Fault>;

const scheme = 'bearer ';

/** The credential of the Authorization header; never one from the address, which ends in logs and histories. */
export function bearerOf(req: IncomingMessage): string | undefined {
  const header = req.headers.authorization;
  if (header === undefined || header.length <= scheme.length) return undefined;
  return header.slice(0, scheme.length).toLowerCase() === scheme ? header.slice(scheme.length).trim() : undefined;
}

/** Whoever reaches a loopback port that asks for no key is the person at the machine, as on stdio. */
const unproven: Caller = { tenant: localTenant, actor: 'http', scopes: new Set(['admin']) };

export function createAuthenticate(access: Access, isOn: boolean): Authenticate {
  if (!isOn) return () => unproven;
  return (req) => {
    const bearer = bearerOf(req);
    if (bearer === undefined) return faults.UNAUTHENTICATED({ why: 'no key was sent' });
    return access.recall(bearer) ?? access.verify(bearer);
  };
}
