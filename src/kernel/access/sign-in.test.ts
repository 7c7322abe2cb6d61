import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { migrations } from '#migrations/all.ts';
import { localTenant, toTenantId } from '../call.ts';
import { createManualClock } from '../clock/clock.ts';
import { Fault } from '../fault/fault.ts';
import { createKeys } from '../keys/keys.ts';
import { silentLog } from '../log/log.ts';
import { sql } from '../storage/sql.ts';
import { openSqlite } from '../storage/sqlite/open.ts';
import { createAccess, type SignedIn } from './access.ts';
import { accessLimits } from './access-limits.ts';
import { toAccessCall } from './api-key-store.ts';

function openAccess() {
  const folder = mkdtempSync(join(tmpdir(), 'fourfold-sign-in-'));
  const clock = createManualClock();
  const file = join(folder, 'store.db');
  const storage = openSqlite({ file, migrations, clock, log: silentLog, auditKey: Buffer.alloc(32) });
  onTestFinished(async () => {
    await storage.close();
    rmSync(folder, { recursive: true });
  });
  const openOther = () => createAccess({ storage, keys: createKeys(Buffer.alloc(32, 7)), clock, log: silentLog });
  return { access: openOther(), clock, storage, openOther };
}

const tenant = toTenantId('acme');

const whyRefused = (answer: unknown): string => {
  expect(answer).toBeInstanceOf(Fault);
  return (answer as Fault).message;
};

function signedIn(answer: SignedIn | Fault): SignedIn {
  if (answer instanceof Fault) throw answer;
  return answer;
}

test('a link signs one browser in with its tenant and scopes, and only one of many at the same time', async () => {
  const { access } = openAccess();
  const { text } = await access.createLink({ tenant, scopes: ['write'] });
  expect(whyRefused(await access.verify(text))).toContain('unknown');
  const answers = await Promise.all([access.signIn(text), access.signIn(text), access.signIn(text)]);
  const sessions = answers.filter((answer) => !(answer instanceof Fault));
  expect(sessions).toHaveLength(1);
  expect(whyRefused(await access.signIn(text))).toContain('the link was used');
  const caller = await access.verify(signedIn(sessions[0]!).text);
  expect(caller).toMatchObject({ tenant, scopes: new Set(['write']), isSignedIn: true });
  expect(await access.listKeys(tenant)).toMatchObject([{ purpose: 'browser' }]);
});

test('a link ends after ten minutes', async () => {
  const { access, clock } = openAccess();
  const { text } = await access.createLink({ tenant, scopes: ['read'] });
  clock.advance(accessLimits.linkMs);
  expect(whyRefused(await access.signIn(text))).toContain('the link has expired');
});

test('a key signs a browser in until the key ends, and revoking the key ends the browser', async () => {
  const { access, clock } = openAccess();
  const expiresAt = clock.now() + 60_000;
  const { text, key } = await access.createKey({ tenant, name: 'lead', scopes: ['admin'], expiresAt });
  const session = signedIn(await access.signIn(text));
  expect(session).toMatchObject({ expiresAt, key: { name: 'lead', parent: key.id } });
  expect(await access.verify(session.text)).toMatchObject({ isSignedIn: true });
  await access.revokeKey(tenant, key.id);
  expect(whyRefused(await access.verify(session.text))).toContain('the sign-in was revoked');
});

test('a key that another process has revoked signs no browser in, although this process still trusts it', async () => {
  const { access, openOther } = openAccess();
  const { text, key } = await access.createKey({ tenant, name: 'lead', scopes: ['admin'] });
  expect(await access.verify(text)).not.toBeInstanceOf(Fault);
  await openOther().revokeKey(tenant, key.id);
  expect(access.recall(text)).toBeDefined();
  expect(whyRefused(await access.signIn(text))).toContain('the key was revoked');
});

test('a session signs no other browser in, and signing out ends it', async () => {
  const { access } = openAccess();
  const { text } = await access.createKey({ tenant, name: 'lead', scopes: ['admin'] });
  const session = signedIn(await access.signIn(text));
  expect(whyRefused(await access.signIn(session.text))).toContain('no other browser');
  await access.signOut(session.text);
  await access.signOut('ffs_unknown');
  expect(whyRefused(await access.verify(session.text))).toContain('revoked');
  expect(await access.verify(text)).not.toBeInstanceOf(Fault);
});

test('a stored row cannot be turned into a key of another purpose', async () => {
  const { access, storage, clock } = openAccess();
  const { text } = await access.createLink({ tenant: localTenant, scopes: ['admin'] });
  await storage.write({ ...toAccessCall(clock, 'test', localTenant, 'test'), audit: 'none' }, function* (db) {
    yield* db.run(sql`update api_keys set purpose = 'key'`);
  });
  expect(whyRefused(await access.verify(text.replace(/^ffl_/, 'ff_')))).toContain('unknown');
  expect(whyRefused(await access.signIn(text))).toContain('unknown');
});
