import { timingSafeEqual } from 'node:crypto';
import type { TenantId } from '../call.ts';
import type { Clock } from '../clock/clock.ts';
import { Fault } from '../fault/fault.ts';
import { faults } from '../fault/kernel-faults.ts';
import { systemCall } from '../jobs/system-call.ts';
import type { Log } from '../log/log.ts';
import type { Storage } from '../storage/port.ts';
import { accessLimits } from './access-limits.ts';
import { keyMac, parseKey } from './api-key.ts';
import { type ApiKey, findKey, noteUse, toAccessCall, toApiKey } from './api-key-store.ts';
import type { TrustedCaller } from './caller-cache.ts';

const unknownActor = 'unknown';

function macsEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
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

  const notOurs = () => faults.UNAUTHENTICATED({ why: 'the key is unknown' });

  async function verifyKey(text: string): Promise<TrustedCaller | Fault> {
    const presented = parseKey(text);
    if (presented === undefined) return notOurs();
    const row = await storage.read(toAccessCall(clock, 'keys/verify', presented.tenant, unknownActor), (db) =>
      findKey(db, presented.id),
    );
    if (row === undefined) return notOurs();
    const key = toApiKey(row);
    const { id, scopes, expiresAt, revokedAt } = key;
    if (!macsEqual(keyMac(hmacKey, presented, { scopes, expiresAt }), row.mac)) return notOurs();
    const now = clock.now();
    if (revokedAt !== undefined) return faults.UNAUTHENTICATED({ why: 'the key was revoked' });
    if (expiresAt !== undefined && expiresAt <= now) return faults.UNAUTHENTICATED({ why: 'the key has expired' });
    noteUseOf(presented.tenant, key);
    return {
      caller: { tenant: presented.tenant, actor: `key:${id}`, scopes: new Set(scopes) },
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
