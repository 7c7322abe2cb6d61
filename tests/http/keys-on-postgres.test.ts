import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Access, createAccess } from '#kernel/access/access.ts';
import { localTenant, toTenantId } from '#kernel/call.ts';
import { systemClock } from '#kernel/clock/clock.ts';
import { createKeys } from '#kernel/keys/keys.ts';
import { silentLog } from '#kernel/log/log.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { openPostgres } from '#kernel/storage/postgres/open.ts';
import { migrations } from '#migrations/all.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/test-database.ts';

let database: TestDatabase;
let storage: Storage;
let access: Access;

beforeAll(async () => {
  database = await createTestDatabase();
  storage = await openPostgres({
    url: database.url,
    migrations,
    clock: systemClock,
    log: silentLog,
    auditKey: Buffer.alloc(32),
    rehearse: true,
  });
  access = createAccess({ storage, keys: createKeys(Buffer.alloc(32)), clock: systemClock, log: silentLog });
});

afterAll(async () => {
  await storage?.close();
  await database?.drop();
});

test("finds a key's row despite row-level security before its tenant is proven", async () => {
  const acme = toTenantId('acme');
  const { text, key } = await access.createKey({
    tenant: acme,
    name: 'ci',
    scopes: ['read'],
    expiresAt: systemClock.now() + 60_000,
  });
  expect(await access.verify(text)).toEqual({ tenant: acme, actor: `key:${key.id}`, scopes: new Set(['read']) });
  const used = { ...key, lastUsedAt: expect.any(Number) as number };
  await expect.poll(() => access.listKeys(acme)).toEqual([used]);
  expect(await access.listAllKeys()).toContainEqual({ tenant: acme, ...used });
  expect(await access.listKeys(localTenant)).toEqual([]);
});

test("rejects a key under another tenant's name, and a revoked one", async () => {
  const { text, key } = await access.createKey({ tenant: localTenant, name: 'laptop', scopes: ['write'] });
  const moved = text.replace(/^ff_[^_]+_/, `ff_${Buffer.from('acme').toString('base64url')}_`);
  expect(await access.verify(moved)).toMatchObject({ code: 'UNAUTHORIZED' });
  await expect(access.revokeKey(toTenantId('acme'), key.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await access.revokeKey(localTenant, key.id);
  expect(await access.verify(text)).toMatchObject({ code: 'UNAUTHORIZED' });
});
