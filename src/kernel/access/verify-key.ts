import { timingSafeEqual } from 'node:crypto';
import type { TenantId } from '../call.ts';
import type { Clock } from '../clock/clock.ts';
import { Fault } from '../fault/fault.ts';
import { faults } from '../fault/kernel-faults.ts';
import { systemCall } from '../jobs/system-call.ts';
import type { Log } from '../log/log.ts';
import type { Storage } from '../storage/port.ts';
import { accessLimits } from './access-limits.ts';
import { keyMac, type PresentedKey, parseKey } from './api-key.ts';
import { type ApiKey, findKey, type KeyRow, noteUse, toAccessCall, toApiKey } from './api-key-store.ts';
import type { TrustedCaller } from './caller-cache.ts';

const unknownActor = 'unknown';
const toKeyActor = (id: string): string => `key:${id}`;

function macsEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const notOurs = () => faults.UNAUTHORIZED({ why: 'the key is unknown' });

export const linkEnded = (why: string): Fault =>
  faults.UNAUTHORIZED({ why: `the link ${why}` }, { fix: 'Run fourfold link for another one, or sign in with a key.' });

/** Why the row does not prove the presented key, or undefined. */
export function findKeyFault(
  hmacKey: Uint8Array,
  presented: PresentedKey,
  row: KeyRow,
  now: number,
): Fault | undefined {
  const { scopes, expiresAt, revokedAt, purpose } = toApiKey(row);
  const word = { key: 'key', link: 'link', browser: 'sign-in' }[purpose];
  if (purpose !== presented.purpose) return notOurs();
  if (!macsEqual(keyMac(hmacKey, presented, { scopes, expiresAt }), row.mac)) return notOurs();
  if (revokedAt !== undefined)
    return purpose === 'link' ? linkEnded('was used') : faults.UNAUTHORIZED({ why: `the ${word} was revoked` });
  if (expiresAt === undefined || expiresAt > now) return undefined;
  return purpose === 'link' ? linkEnded('has expired') : faults.UNAUTHORIZED({ why: `the ${word} has expired` });
}

export interface VerifyKeyDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly hmacKey: Uint8Array;
}

/** Only a holder of the right key learns why it is rejected; unknown, forged and malformed keys get one answer. */
export function createKeyVerifier({ storage, clock, log, hmacKey }: VerifyKeyDeps) {
  const noting = new Set<string>();

  /** The caller does not wait for it, and a store that cannot take it does not concern the caller. */
  function noteUseOf(tenant: TenantId, { id, lastUsedAt }: ApiKey): void {
    const now = clock.now();
    const name = `${tenant} ${id}`;
    if (noting.has(name) || now - (lastUsedAt ?? Number.NEGATIVE_INFINITY) < accessLimits.keyUseMs) return;
    noting.add(name);
    const deadlineAt = now + accessLimits.storeDeadlineMs;
    storage
      .write(systemCall('keys/use', { tenant, deadlineAt }), (db) => noteUse(db, id, now))
      .catch((error: unknown) => log.debug({ err: error }, 'the use of a key was not noted'))
      .finally(() => noting.delete(name));
  }

  async function verifyKey(text: string): Promise<TrustedCaller | Fault> {
    const presented = parseKey(text);
    if (presented === undefined || presented.purpose === 'link') return notOurs();
    const row = await storage.read(toAccessCall(clock, 'keys/verify', presented.tenant, unknownActor), (db) =>
      findKey(db, presented.id),
    );
    if (row === undefined) return notOurs();
    const key = toApiKey(row);
    const { id, scopes, expiresAt, purpose } = key;
    const now = clock.now();
    const fault = findKeyFault(hmacKey, presented, row, now);
    if (fault !== undefined) return fault;
    noteUseOf(presented.tenant, key);
    return {
      caller: {
        tenant: presented.tenant,
        actor: toKeyActor(id),
        scopes: new Set(scopes),
        ...(purpose === 'browser' && { isSignedIn: true }),
      },
      trustedUntil: Math.min(expiresAt ?? Infinity, now + accessLimits.keyTrustMs),
    };
  }

  return async (text: string): Promise<TrustedCaller | Fault> => {
    try {
      return await verifyKey(text);
    } catch (error) {
      if (error instanceof Fault) return error;
      throw error;
    }
  };
}
