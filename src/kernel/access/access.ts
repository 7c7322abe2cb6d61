import type { Caller, Scope, TenantId } from '../call.ts';
import type { Clock } from '../clock/clock.ts';
import { Fault } from '../fault/fault.ts';
import { faults } from '../fault/kernel-faults.ts';
import { sha256Hex } from '../hash/hash.ts';
import { listTenants } from '../jobs/tenants.ts';
import type { Keys } from '../keys/keys.ts';
import type { Log } from '../log/log.ts';
import type { Storage } from '../storage/port.ts';
import { accessLimits } from './access-limits.ts';
import { keyMac, keyPrefix, makeKey, toKeyText } from './api-key.ts';
import {
  type ApiKey,
  allKeys,
  countUsableKeys,
  findKey,
  insertKey,
  type KeyRow,
  markRevoked,
  toAccessCall,
  toApiKey,
} from './api-key-store.ts';
import { createCallerCache, type TrustedCaller } from './caller-cache.ts';
import type { FixedTokens } from './fixed-tokens.ts';
import { createTokenVerifier, type OAuthSettings } from './jwt.ts';
import { isTenantText, toScopes } from './tenants-and-scopes.ts';
import { createKeyVerifier } from './verify-key.ts';

interface KeyRequest {
  readonly tenant: TenantId;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt?: number | undefined;
  /** The actor of the audit row. */
  readonly actor?: string;
}

/** Why such a key cannot be created, or undefined. */
function flaw({ tenant, name, scopes, expiresAt }: KeyRequest, now: number): string | undefined {
  if (!isTenantText(tenant)) {
    return `a tenant must have 1 to ${accessLimits.tenantChars} letters, digits, dots, dashes or underscores`;
  }
  if (name.trim() === '' || name.length > accessLimits.keyNameChars || /\p{Cc}|\p{Cs}/u.test(name)) {
    return `the name of a key must be one line of 1 to ${accessLimits.keyNameChars} characters`;
  }
  if (scopes.length === 0 || toScopes(scopes).length !== new Set(scopes).size) {
    return 'a key must have at least one of the scopes read, write, admin, and no other';
  }
  if (expiresAt !== undefined && !(Number.isSafeInteger(expiresAt) && expiresAt > now)) {
    return 'the expiry of a key must be in the future';
  }
  return undefined;
}

function checkKeyRequest(wanted: KeyRequest, now: number): void {
  const why = flaw(wanted, now);
  if (why !== undefined) throw faults.VALIDATION_ERROR({ why });
}

export interface TenantKey extends ApiKey {
  readonly tenant: TenantId;
}

export interface Access {
  /** `text` is shown once and not stored. */
  createKey(wanted: KeyRequest): Promise<{ readonly text: string; readonly key: ApiKey }>;
  /** Active keys first, then revoked ones, each newest first. */
  listKeys(tenant: TenantId): Promise<readonly ApiKey[]>;
  /** Of every tenant, for the operator. */
  listAllKeys(): Promise<readonly TenantKey[]>;
  /** Takes effect immediately in this process and within `keyTrustMs` in others. Revoking again changes nothing. */
  revokeKey(tenant: TenantId, id: string, actor?: string): Promise<ApiKey>;
  /** The caller of a recently verified credential, synchronously. Undefined proves nothing: call `verify`. */
  recall(bearer: string): Caller | undefined;
  /** The caller of a credential, or why it is rejected. Takes API keys and, if OAuth is set, access tokens. */
  verify(bearer: string): Promise<Caller | Fault>;
}

export interface AccessDeps {
  readonly storage: Storage;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly log: Log;
  readonly oauth?: OAuthSettings | undefined;
  readonly tokens?: FixedTokens;
}

const topic = 'api_keys';
const operator = 'operator';

export function createAccess({ storage, keys, clock, log, oauth, tokens }: AccessDeps): Access {
  const hmacKey = keys.derive('api-keys');
  const cache = createCallerCache();
  const verifyKey = createKeyVerifier({ storage, clock, log, hmacKey });
  const verifyToken = oauth === undefined ? undefined : createTokenVerifier(oauth, clock, log);

  async function prove(bearer: string): Promise<TrustedCaller | Fault> {
    if (bearer.length > accessLimits.bearerChars) return faults.UNAUTHENTICATED({ why: 'the credential is too long' });
    return verifyToken === undefined || bearer.startsWith(keyPrefix) ? verifyKey(bearer) : verifyToken(bearer);
  }

  const listKeys: Access['listKeys'] = (tenant) =>
    storage.read(toAccessCall(clock, 'keys/list', tenant, operator), function* (db) {
      return (yield* allKeys(db, accessLimits.keysPerTenantCount)).map(toApiKey);
    });

  return {
    async createKey(wanted) {
      checkKeyRequest(wanted, clock.now());
      const { tenant, name, expiresAt, actor = operator } = wanted;
      const scopes = toScopes(wanted.scopes);
      const made = makeKey(tenant);
      const mac = keyMac(hmacKey, made, { scopes, expiresAt });
      const key = await storage.write(toAccessCall(clock, 'keys/create', tenant, actor), function* (db) {
        const held = yield* countUsableKeys(db);
        if (Number(held?.count) >= accessLimits.keysPerTenantCount) {
          throw faults.RESOURCE_LIMIT({
            what: 'The number of keys',
            limit: accessLimits.keysPerTenantCount,
            unit: 'keys',
          });
        }
        const row: KeyRow = {
          id: made.id,
          name,
          scopes: scopes.join(' '),
          mac,
          created_at: db.now,
          expires_at: expiresAt ?? null,
          revoked_at: null,
          last_used_at: null,
        };
        yield* insertKey(db, row);
        yield* db.changed(topic, made.id, 'create', mac);
        return toApiKey(row);
      });
      return { text: toKeyText(made), key };
    },

    listKeys,

    async listAllKeys() {
      const found: TenantKey[] = [];
      for (const tenant of await listTenants(storage)) {
        for (const key of await listKeys(tenant)) found.push({ tenant, ...key });
      }
      return found;
    },

    async revokeKey(tenant, id, actor = operator) {
      try {
        return await storage.write(toAccessCall(clock, 'keys/revoke', tenant, actor), function* (db) {
          const row = yield* findKey(db, id);
          if (row === undefined) throw faults.NOT_FOUND({ what: `key ${id.slice(0, accessLimits.keyNameChars)}` });
          const revokedCount = yield* markRevoked(db, id);
          if (revokedCount > 0) yield* db.changed(topic, id, 'update', row.mac);
          return toApiKey({ ...row, revoked_at: row.revoked_at ?? db.now });
        });
      } finally {
        // Even if the outcome is unknown: asking the store again is never wrong.
        cache.clear();
      }
    },

    recall(bearer) {
      const digest = sha256Hex(bearer);
      return tokens?.get(digest) ?? cache.find(digest, clock.now());
    },

    async verify(bearer) {
      const digest = sha256Hex(bearer);
      const known = tokens?.get(digest) ?? cache.find(digest, clock.now());
      if (known !== undefined) return known;
      const { generation } = cache;
      const proven = await prove(bearer);
      if (proven instanceof Fault) return proven;
      cache.remember(digest, proven, generation);
      return proven.caller;
    },
  };
}
