import type { Caller, Scope, TenantId } from '../call.ts';
import type { Clock } from '../clock/clock.ts';
import { Fault } from '../fault/fault.ts';
import { faults } from '../fault/kernel-faults.ts';
import { sha256Hex } from '../hash/hash.ts';
import { listTenants } from '../jobs/tenants.ts';
import type { Keys } from '../keys/keys.ts';
import type { Log } from '../log/log.ts';
import type { Storage, Writer } from '../storage/port.ts';
import { accessLimits } from './access-limits.ts';
import { isSessionText, keyMac, keyPrefix, makeKey, type PresentedKey, parseKey, toKeyText } from './api-key.ts';
import {
  type ApiKey,
  allKeys,
  countUsableKeys,
  findKey,
  insertKey,
  type KeyRow,
  markChildrenRevoked,
  markRevoked,
  toAccessCall,
  toApiKey,
} from './api-key-store.ts';
import { createCallerCache, type TrustedCaller } from './caller-cache.ts';
import type { FixedTokens } from './fixed-tokens.ts';
import { createTokenVerifier, type OAuthSettings } from './jwt.ts';
import { isTenantText, toScopes } from './tenants-and-scopes.ts';
import { createKeyVerifier, findKeyFault, linkEnded } from './verify-key.ts';

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

/** The session of a browser. `text` is its cookie, shown once and not stored. */
export interface SignedIn {
  readonly text: string;
  readonly key: ApiKey;
  readonly expiresAt: number;
}

export interface Access {
  /** `text` is shown once and not stored. */
  createKey(wanted: KeyRequest): Promise<{ readonly text: string; readonly key: ApiKey }>;
  /** A text that signs one browser in, once, within minutes. */
  createLink(wanted: Pick<KeyRequest, 'tenant' | 'scopes'>): Promise<{ readonly text: string }>;
  /** Exchanges a link, a key or an access token for a browser session with the same tenant and at most its scopes. */
  signIn(credential: string): Promise<SignedIn | Fault>;
  /** Ends the session of a browser; an unknown one changes nothing. */
  signOut(session: string): Promise<void>;
  /** Active keys first, then revoked ones, each newest first. */
  listKeys(tenant: TenantId): Promise<readonly ApiKey[]>;
  /** Of every tenant, for the operator. */
  listAllKeys(): Promise<readonly TenantKey[]>;
  /** Also ends the browsers that the key signed in. Takes effect immediately in this process and within `keyTrustMs` in others. Revoking again changes nothing. */
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

interface Grant {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt?: number | undefined;
  readonly parent?: string | undefined;
}

const topic = 'api_keys';
const operator = 'operator';

export function createAccess({ storage, keys, clock, log, oauth, tokens }: AccessDeps): Access {
  const hmacKey = keys.derive('api-keys');
  const cache = createCallerCache();
  const verifyKey = createKeyVerifier({ storage, clock, log, hmacKey });
  const verifyToken = oauth === undefined ? undefined : createTokenVerifier(oauth, clock, log);

  async function prove(bearer: string): Promise<TrustedCaller | Fault> {
    if (bearer.length > accessLimits.bearerChars) return faults.UNAUTHORIZED({ why: 'the credential is too long' });
    const isKey = bearer.startsWith(keyPrefix) || isSessionText(bearer);
    return verifyToken === undefined || isKey ? verifyKey(bearer) : verifyToken(bearer);
  }

  const listKeys: Access['listKeys'] = (tenant) =>
    storage.read(toAccessCall(clock, 'keys/list', tenant, operator), function* (db) {
      return (yield* allKeys(db, accessLimits.keysPerTenantCount)).map(toApiKey);
    });

  /** Adds a key of any purpose within the limit of the tenant. */
  function* addKey(db: Writer, made: PresentedKey, grant: Grant) {
    const held = yield* countUsableKeys(db);
    if (Number(held?.count) >= accessLimits.keysPerTenantCount) {
      throw faults.RESOURCE_LIMIT({ what: 'The number of keys', limit: accessLimits.keysPerTenantCount, unit: 'keys' });
    }
    const { name, scopes, expiresAt, parent } = grant;
    const row: KeyRow = {
      id: made.id,
      name,
      scopes: scopes.join(' '),
      mac: keyMac(hmacKey, made, { scopes, expiresAt }),
      created_at: db.now,
      expires_at: expiresAt ?? null,
      revoked_at: null,
      last_used_at: null,
      purpose: made.purpose,
      parent: parent ?? null,
    };
    yield* insertKey(db, row);
    yield* db.changed(topic, made.id, 'create', row.mac);
    return toApiKey(row);
  }

  async function create(tenant: TenantId, made: PresentedKey, grant: Grant, actor: string) {
    const key = await storage.write(toAccessCall(clock, 'keys/create', tenant, actor), (db) => addKey(db, made, grant));
    return { text: toKeyText(made), key };
  }

  /** The link is used up in the same transaction that adds the session. */
  async function redeemLink(link: PresentedKey): Promise<SignedIn | Fault> {
    const made = makeKey(link.tenant, 'browser');
    const expiresAt = clock.now() + accessLimits.browserMs;
    return storage.write(toAccessCall(clock, 'keys/sign-in', link.tenant, operator), function* (db) {
      const row = yield* findKey(db, link.id);
      if (row === undefined) return linkEnded('is unknown');
      const fault = findKeyFault(hmacKey, link, row, db.now);
      if (fault !== undefined) return fault;
      // Another process may have used it since the row was read.
      if ((yield* markRevoked(db, link.id)) === 0) return linkEnded('was used');
      yield* db.changed(topic, link.id, 'update', row.mac);
      const { scopes } = toApiKey(row);
      const key = yield* addKey(db, made, { name: 'browser', scopes, expiresAt });
      return { text: toKeyText(made), key, expiresAt };
    });
  }

  /** The key is checked again in the transaction, because the caller may come from the cache. */
  async function signInAs(caller: Caller, presented: PresentedKey | undefined): Promise<SignedIn | Fault> {
    const { tenant, actor, scopes } = caller;
    const made = makeKey(tenant, 'browser');
    return storage.write(toAccessCall(clock, 'keys/sign-in', tenant, actor), function* (db) {
      const row = presented && (yield* findKey(db, presented.id));
      const fault = presented && row && findKeyFault(hmacKey, presented, row, db.now);
      if (fault !== undefined) return fault;
      const parent = row && toApiKey(row);
      const expiresAt = Math.min(
        parent?.expiresAt ?? Infinity,
        db.now + (parent === undefined ? accessLimits.tokenBrowserMs : accessLimits.browserMs),
      );
      const name = (parent?.name ?? actor).slice(0, accessLimits.keyNameChars);
      const key = yield* addKey(db, made, { name, scopes: toScopes(scopes), expiresAt, parent: parent?.id });
      return { text: toKeyText(made), key, expiresAt };
    });
  }

  async function verify(bearer: string): Promise<Caller | Fault> {
    const digest = sha256Hex(bearer);
    const known = tokens?.get(digest) ?? cache.find(digest, clock.now());
    if (known !== undefined) return known;
    const { generation } = cache;
    const proven = await prove(bearer);
    if (proven instanceof Fault) return proven;
    cache.remember(digest, proven, generation);
    return proven.caller;
  }

  async function revokeKey(tenant: TenantId, id: string, actor = operator): Promise<ApiKey> {
    try {
      return await storage.write(toAccessCall(clock, 'keys/revoke', tenant, actor), function* (db) {
        const row = yield* findKey(db, id);
        if (row === undefined) {
          const fix = 'keys/list (fourfold keys list) shows the ids.';
          throw faults.NOT_FOUND({ what: `key ${id.slice(0, accessLimits.keyNameChars)}` }, { fix });
        }
        const revokedCount = yield* markRevoked(db, id);
        yield* markChildrenRevoked(db, id);
        if (revokedCount > 0) yield* db.changed(topic, id, 'update', row.mac);
        return toApiKey({ ...row, revoked_at: row.revoked_at ?? db.now });
      });
    } finally {
      // Even if the outcome is unknown: asking the store again is never wrong.
      cache.clear();
    }
  }

  return {
    async createKey(wanted) {
      checkKeyRequest(wanted, clock.now());
      const { tenant, name, expiresAt, actor = operator } = wanted;
      return create(tenant, makeKey(tenant), { name, scopes: toScopes(wanted.scopes), expiresAt }, actor);
    },

    async createLink({ tenant, scopes }) {
      const wanted = { tenant, scopes, name: 'sign-in link', expiresAt: clock.now() + accessLimits.linkMs };
      checkKeyRequest(wanted, clock.now());
      return create(tenant, makeKey(tenant, 'link'), { ...wanted, scopes: toScopes(scopes) }, operator);
    },

    async signIn(credential) {
      const presented = parseKey(credential);
      if (presented?.purpose === 'link') return redeemLink(presented);
      const caller = await verify(credential);
      if (caller instanceof Fault) return caller;
      if (caller.isSignedIn) return faults.UNAUTHORIZED({ why: 'the session of a browser signs no other browser in' });
      return signInAs(caller, presented);
    },

    listKeys,

    async listAllKeys() {
      const found: TenantKey[] = [];
      for (const tenant of await listTenants(storage)) {
        for (const key of await listKeys(tenant)) found.push({ tenant, ...key });
      }
      return found;
    },

    revokeKey,

    async signOut(session) {
      const presented = parseKey(session);
      const caller = presented && (await verify(session));
      if (presented === undefined || caller instanceof Fault) return;
      await revokeKey(presented.tenant, presented.id, caller?.actor);
    },

    recall(bearer) {
      const digest = sha256Hex(bearer);
      return tokens?.get(digest) ?? cache.find(digest, clock.now());
    },

    verify,
  };
}
