import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { migrations } from '#migrations/all.ts';
import { type Caller, localTenant, type Scope, toTenantId } from '../call.ts';
import { createManualClock } from '../clock/clock.ts';
import { Fault } from '../fault/fault.ts';
import { createKeys } from '../keys/keys.ts';
import { silentLog } from '../log/log.ts';
import { sql } from '../storage/sql.ts';
import { openSqlite } from '../storage/sqlite/open.ts';
import { createAccess } from './access.ts';
import { accessLimits } from './access-limits.ts';
import { toAccessCall } from './api-key-store.ts';
import { createCallerCache } from './caller-cache.ts';
import { openFixedTokens } from './fixed-tokens.ts';

function openAccess() {
  const folder = mkdtempSync(join(tmpdir(), 'fourfold-access-'));
  const clock = createManualClock();
  const keys = createKeys(Buffer.alloc(32, 7));
  const openStorage = () =>
    openSqlite({
      file: join(folder, 'store.db'),
      migrations,
      clock,
      log: silentLog,
      auditKey: Buffer.alloc(32),
      rehearse: true,
    });
  const storages = [openStorage()];
  onTestFinished(async () => {
    await Promise.all(storages.map((storage) => storage.close()));
    rmSync(folder, { recursive: true });
  });
  const storage = storages[0]!;
  return {
    folder,
    clock,
    storage,
    access: createAccess({ storage, keys, clock, log: silentLog }),
    /** Another process on the same folder. */
    openOther: () => {
      const other = openStorage();
      storages.push(other);
      return createAccess({ storage: other, keys, clock, log: silentLog });
    },
  };
}

const wanted = { tenant: localTenant, name: 'laptop', scopes: ['write'] as Scope[] };

const whyRefused = (answer: unknown): string => {
  expect(answer).toBeInstanceOf(Fault);
  return (answer as Fault).message;
};

test('a created key proves its tenant, scopes and id', async () => {
  const { access } = openAccess();
  const tenant = toTenantId('acme_co-1.eu');
  const { text, key } = await access.createKey({ tenant, name: 'ci', scopes: ['write', 'read'] });
  expect(text).toMatch(/^ff_[\w-]+_[0-9a-f]{16}_[0-9a-f]{48}$/);
  expect(await access.verify(text)).toEqual({ tenant, actor: `key:${key.id}`, scopes: new Set(['read', 'write']) });
  expect(await access.listKeys(tenant)).toEqual([key]);
  expect(await access.listKeys(localTenant)).toEqual([]);
});

test('accepts a token from the settings exactly, and no similar one', async () => {
  const { storage, clock } = openAccess();
  const tokens = openFixedTokens({ token: 'sixteen-letters-or-more' });
  const access = createAccess({ storage, keys: createKeys(Buffer.alloc(32, 7)), clock, log: silentLog, tokens });
  expect(access.recall('sixteen-letters-or-more')).toMatchObject({ tenant: localTenant });
  expect(await access.verify('sixteen-letters-or-more')).toMatchObject({ scopes: new Set(['read', 'write']) });
  expect(access.recall('sixteen-letters-or-mort')).toBeUndefined();
  expect(whyRefused(await access.verify('sixteen-letters-or-mort'))).toContain('the key is unknown');
});

test('stores nothing that could be used as a credential', async () => {
  const { access, folder } = openAccess();
  const { text } = await access.createKey(wanted);
  const secret = text.split('_').at(-1)!;
  const bytes = Buffer.concat(readdirSync(folder).map((file) => readFileSync(join(folder, file))));
  expect(bytes.includes(wanted.name)).toBe(true);
  expect(bytes.includes(secret)).toBe(false);
  expect(bytes.includes(Buffer.from(secret, 'hex'))).toBe(false);
});

test('rejects a key with any one character changed', async () => {
  const { access } = openAccess();
  const { text } = await access.createKey(wanted);
  const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-. ';
  await fc.assert(
    fc.asyncProperty(fc.nat(text.length - 1), fc.constantFrom(...alphabet), async (at, letter) => {
      const forged = text.slice(0, at) + letter + text.slice(at + 1);
      fc.pre(forged !== text);
      expect(whyRefused(await access.verify(forged))).toContain('the key is unknown');
    }),
    { numRuns: 500, examples: [['ff_bG9jYW'.length, 'x']] },
  );
  expect(await access.verify(text)).not.toBeInstanceOf(Fault);
});

test('rejects a key for another tenant, even with a row of the same id and HMAC', async () => {
  const { access, storage, clock } = openAccess();
  const { text, key } = await access.createKey(wanted);
  const other = toTenantId('other');
  await storage.write({ ...toAccessCall(clock, 'test', other, 'test'), audit: 'none' }, function* (db) {
    yield* db.run(sql`
      insert into api_keys
      select ${'other'}, id, name, scopes, mac, created_at, expires_at, revoked_at, last_used_at, purpose, parent
      from api_keys where id = ${key.id}`);
  });
  const moved = text.replace(/^ff_[^_]+_/, `ff_${Buffer.from('other').toString('base64url')}_`);
  expect(await access.listKeys(other)).toHaveLength(1);
  expect(whyRefused(await access.verify(moved))).toContain('the key is unknown');
});

test('rejects a key whose stored scopes or expiry were edited', async () => {
  const { access, storage, clock } = openAccess();
  const edit = { ...toAccessCall(clock, 'test', localTenant, 'test'), audit: 'none' } as const;
  const { text } = await access.createKey({ ...wanted, expiresAt: clock.now() + 60_000 });
  await storage.write(edit, function* (db) {
    yield* db.run(sql`update api_keys set scopes = 'admin'`);
  });
  expect(whyRefused(await access.verify(text))).toContain('the key is unknown');
  await storage.write(edit, function* (db) {
    yield* db.run(sql`update api_keys set scopes = 'write', expires_at = null`);
  });
  expect(whyRefused(await access.verify(text))).toContain('the key is unknown');
});

test('rejects a key at its expiry, even while it is cached', async () => {
  const { access, clock } = openAccess();
  const { text } = await access.createKey({ ...wanted, expiresAt: clock.now() + 500 });
  clock.advance(499);
  expect(await access.verify(text)).not.toBeInstanceOf(Fault);
  clock.advance(1);
  expect(whyRefused(await access.verify(text))).toContain('has expired');
});

test('rejects a revoked key immediately here, and within the trust time in another process', async () => {
  const { access, clock, openOther } = openAccess();
  const other = openOther();
  const { text, key } = await access.createKey(wanted);
  await Promise.all([access.verify(text), other.verify(text)]);
  const revoked = await access.revokeKey(localTenant, key.id);
  expect(revoked.revokedAt).toBe(clock.now());
  expect(whyRefused(await access.verify(text))).toContain('was revoked');
  expect(await other.verify(text)).not.toBeInstanceOf(Fault);
  clock.advance(accessLimits.keyTrustMs);
  expect(accessLimits.keyTrustMs).toBeLessThan(2_000);
  expect(whyRefused(await other.verify(text))).toContain('was revoked');
});

test("keeps the first revocation time, and does not distinguish unknown keys from other tenants' keys", async () => {
  const { access, clock } = openAccess();
  const { key } = await access.createKey(wanted);
  const first = await access.revokeKey(localTenant, key.id);
  clock.advance(1_000);
  expect(await access.revokeKey(localTenant, key.id)).toEqual(first);
  await expect(access.revokeKey(localTenant, 'feedfeedfeedfeed')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(access.revokeKey(toTenantId('other'), key.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('logs creation and revocation of a key once each, and no verification', async () => {
  const { access, storage } = openAccess();
  const { text, key } = await access.createKey(wanted);
  await access.verify(text);
  await access.revokeKey(localTenant, key.id);
  await access.revokeKey(localTenant, key.id);
  const changes = await storage.changesSince(localTenant, 'api_keys', 0, 10);
  expect(changes.map(({ id, what }) => [id, what])).toEqual([
    [key.id, 'create'],
    [key.id, 'update'],
  ]);
});

test.each([
  ['no scope', { scopes: [] }],
  ['a scope that does not exist', { scopes: ['root' as Scope] }],
  ['a blank name', { name: ' ' }],
  ['a name of two lines', { name: 'a\nb' }],
  ['a name that is too long', { name: 'x'.repeat(accessLimits.keyNameChars + 1) }],
  ['a tenant that is a path', { tenant: toTenantId('../etc') }],
  ['an expiry in the past', { expiresAt: 1 }],
  ['an expiry that is not a time', { expiresAt: Number.NaN }],
])('does not create a key with %s', async (_title, flaw) => {
  const { access } = openAccess();
  await expect(access.createKey({ ...wanted, ...flaw })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  expect(await access.listKeys(localTenant)).toEqual([]);
});

test('recalls only recently verified callers, and none after a revocation', async () => {
  const { access, clock } = openAccess();
  const { text, key } = await access.createKey(wanted);
  expect(access.recall(text)).toBeUndefined();
  const caller = await access.verify(text);
  expect(access.recall(text)).toBe(caller);
  clock.advance(accessLimits.keyTrustMs);
  expect(access.recall(text)).toBeUndefined();
  await access.verify(text);
  await access.revokeKey(localTenant, key.id);
  expect(access.recall(text)).toBeUndefined();
});

test('reports an unavailable store without throwing', async () => {
  const { access, storage } = openAccess();
  const { text } = await access.createKey(wanted);
  await storage.close();
  const answer = await access.verify(text);
  expect(answer).toMatchObject({ kind: { http: 503 } });
});

test('rejects a credential of a megabyte before any lookup', async () => {
  const { access } = openAccess();
  expect(whyRefused(await access.verify(`ff_${'a'.repeat(1_000_000)}`))).toContain('too long');
});

const caller: Caller = { tenant: localTenant, actor: 'key:1', scopes: new Set(['read']) };

test('trusts a caller until its time ends, not a millisecond longer', () => {
  const cache = createCallerCache();
  cache.remember('a', { caller, trustedUntil: 100 }, cache.generation);
  expect(cache.find('a', 99)).toBe(caller);
  expect(cache.find('a', 100)).toBeUndefined();
});

test('does not remember a caller verified before a revocation', () => {
  const cache = createCallerCache();
  const { generation } = cache;
  cache.clear();
  cache.remember('a', { caller, trustedUntil: 100 }, generation);
  expect(cache.find('a', 0)).toBeUndefined();
});

test('evicts the oldest caller at the limit', () => {
  const cache = createCallerCache(2);
  for (const digest of ['a', 'b', 'c']) cache.remember(digest, { caller, trustedUntil: 100 }, cache.generation);
  expect(['a', 'b', 'c'].map((digest) => cache.find(digest, 0) !== undefined)).toEqual([false, true, true]);
});

test('notes the last use of a key, at most once a minute', async () => {
  const { access, clock, storage } = openAccess();
  const { text, key } = await access.createKey(wanted);
  const lastUsedAt = async () => (await access.listKeys(localTenant))[0]?.lastUsedAt;
  expect(await lastUsedAt()).toBeUndefined();
  const firstUse = clock.now();
  await access.verify(text);
  await expect.poll(lastUsedAt).toBe(firstUse);
  // Within the minute: a later write of the same storage is done after any that this use had caused.
  clock.advance(accessLimits.keyUseMs - 1);
  await access.verify(text);
  await storage.write(toAccessCall(clock, 'test', localTenant, 'test'), function* (db) {
    yield* db.changed('api_keys', key.id, 'update', 'x');
  });
  expect(await lastUsedAt()).toBe(firstUse);
  clock.advance(1);
  await access.verify(text.replace(/.$/, (last) => (last === '0' ? '1' : '0')));
  expect(await lastUsedAt()).toBe(firstUse);
  clock.advance(accessLimits.keyTrustMs);
  const laterUse = clock.now();
  await access.verify(text);
  await expect.poll(lastUsedAt).toBe(laterUse);
  expect((await storage.changesSince(localTenant, 'api_keys', 0, 10)).map(({ what }) => what)).toEqual([
    'create',
    'update',
  ]);
});

test('lists the keys of all tenants', async () => {
  const { access } = openAccess();
  const made = [];
  for (const name of ['acme', 'bank']) {
    made.push((await access.createKey({ ...wanted, tenant: toTenantId(name) })).key.id);
  }
  expect((await access.listAllKeys()).map(({ tenant, id }) => [tenant, id])).toEqual([
    ['acme', made[0]],
    ['bank', made[1]],
  ]);
});
