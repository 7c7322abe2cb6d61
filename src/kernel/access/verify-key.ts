import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock/clock.ts';
import { Fault } from '../fault/fault.ts';
import { faults } from '../fault/kernel-faults.ts';
import type { Storage } from '../storage/port.ts';
import { accessLimits } from './access-limits.ts';
import { keyMac, parseKey } from './api-key.ts';
import { findKey, toAccessCall, toApiKey } from './api-key-store.ts';
import type { TrustedCaller } from './caller-cache.ts';

const unknownActor = 'unknown';

function macsEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

export interface VerifyKeyDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly hmacKey: Uint8Array;
}

/** Only a holder of the right key learns why it is rejected; unknown, forged and malformed keys get one answer. */
export function createKeyVerifier({ storage, clock, hmacKey }: VerifyKeyDeps) {
  const notOurs = () => faults.UNAUTHENTICATED({ why: 'the key is unknown' });

  async function verifyKey(text: string): Promise<TrustedCaller | Fault> {
    const presented = parseKey(text);
    if (presented === undefined) return notOurs();
    const row = await storage.read(toAccessCall(clock, 'keys/verify', presented.tenant, unknownActor), (db) =>
      findKey(db, presented.id),
    );
    if (row === undefined) return notOurs();
    const { id, scopes, expiresAt, revokedAt } = toApiKey(row);
    if (!macsEqual(keyMac(hmacKey, presented, { scopes, expiresAt }), row.mac)) return notOurs();
    const now = clock.now();
    if (revokedAt !== undefined) return faults.UNAUTHENTICATED({ why: 'the key was revoked' });
    if (expiresAt !== undefined && expiresAt <= now) return faults.UNAUTHENTICATED({ why: 'the key has expired' });
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
