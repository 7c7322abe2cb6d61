import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { localTenant, toTenantId } from '#kernel/call.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { openSqlite, type SqliteStorage } from '#kernel/storage/sqlite/open.ts';
import { migrations } from '#migrations/all.ts';
import { readAllFiles } from '../home.fixture.ts';
import { backingUp, codeOf, homeFixture, makeBackup, restoring, tempFolder } from './backup.fixture.ts';
import { backupNameAt } from './backup.ts';
import { verifyBackup } from './verify-backup.ts';

describe('backup', () => {
  test('contains the store, the files and the keys, readable by the owner only', async () => {
    const { to, result, fixture } = await makeBackup();
    const paths = Object.keys(readAllFiles(to)).sort();
    const blob = paths.find((path) => path.startsWith('files/blobs/'));
    expect(paths).toEqual([
      'files/audit-checkpoints.jsonl',
      blob,
      'files/config.json',
      'files/instructions/be-kind.json',
      'keys/key',
      'manifest.json',
      'store.db',
    ]);
    expect(result).toMatchObject({
      folder: to,
      store: 'sqlite',
      withKeys: true,
      files: 6,
      withheld: ['databaseUrl'],
      skipped: [],
    });
    expect(statSync(to).mode & 0o777).toBe(0o700);
    for (const path of paths) expect(statSync(join(to, path)).mode & 0o777).toBe(0o600);
    const manifest = await verifyBackup(to, fixture.migrations);
    expect(manifest.body).toMatchObject({
      program: '1.2.3',
      schema: migrations.at(-1)?.id,
      at: '2026-01-01T00:00:00.000Z',
    });
  });

  test('contains no secret unless keys are requested, and never a password of the configuration', async () => {
    const { to, fixture } = await makeBackup({ withKeys: false });
    const secret = readFileSync(fixture.keyFile, 'utf8').trim();
    for (const [path, content] of Object.entries(readAllFiles(to))) {
      const text = Buffer.from(content, 'base64').toString('latin1');
      expect(`${path} ${text.includes(secret)} ${text.includes('swordfish')}`).toBe(`${path} false false`);
    }
    expect(JSON.parse(readFileSync(join(to, 'files/config.json'), 'utf8'))).toEqual({ logLevel: 'warn' });
  });

  test('leaves out a config.json that is not valid JSON, because it may hide a password', async () => {
    const fixture = homeFixture();
    writeFileSync(join(fixture.home, 'config.json'), '{"databaseUrl":"postgres://me:swordfish@db/x"');
    const to = join(tempFolder(), 'b');
    expect(await backingUp(fixture, to)).toMatchObject({ skipped: [join(fixture.home, 'config.json')], withheld: [] });
    expect(JSON.stringify(readAllFiles(to))).not.toContain('c3dvcmRmaXNo');
    expect(existsSync(join(to, 'files/config.json'))).toBe(false);
  });

  test('is a consistent copy whose chain verifies, even if a checkpoint is written meanwhile', async () => {
    const fixture = homeFixture();
    await fixture.put('a', 'first');
    await fixture.createFiles();
    const folder = tempFolder();
    /** The worst moment: the store is already copied when the chain and its checkpoint grow. */
    const storage: SqliteStorage = {
      ...fixture.storage,
      async backupTo(file) {
        await fixture.storage.backupTo(file);
        await fixture.put('b', 'second');
        await fixture.audit.checkpoint(fixture.callFor());
      },
    };
    await backingUp(fixture, join(folder, 'b'), { storage });
    await restoring(join(folder, 'b'), join(folder, 'home'));
    const restored = homeFixture(join(folder, 'home'));
    expect(await restored.texts()).toEqual(['a: first']);
    expect(await restored.audit.verify(restored.callFor())).toMatchObject({ ok: true, headSeq: 1, checkpointSeq: 1 });
  });

  test('skips half-written files and links, and reports what it skipped', async () => {
    const fixture = homeFixture();
    await fixture.createFiles();
    const outside = join(tempFolder(), 'outside');
    writeFileSync(outside, 'not ours');
    mkdirSync(join(fixture.home, 'blobs', 'tmp'), { recursive: true });
    writeFileSync(join(fixture.home, 'blobs', 'tmp', 'half'), 'half');
    mkdirSync(join(fixture.home, 'blobs', 'of-a-tenant', 'tmp'), { recursive: true });
    writeFileSync(join(fixture.home, 'blobs', 'of-a-tenant', 'tmp', 'half'), 'half');
    writeFileSync(join(fixture.home, 'instructions', 'x.json.tmp'), 'half');
    symlinkSync(outside, join(fixture.home, 'instructions', 'link.json'));
    const to = join(tempFolder(), 'b');
    expect((await backingUp(fixture, to)).skipped).toEqual([join(fixture.home, 'instructions', 'link.json')]);
    expect(Object.keys(readAllFiles(join(to, 'files', 'instructions')))).toEqual(['be-kind.json']);
    expect(Object.keys(readAllFiles(join(to, 'files', 'blobs')))).toHaveLength(1);
  });

  test('copies instruction files from the configured folder', async () => {
    const fixture = homeFixture();
    const instructionsDir = tempFolder();
    writeFileSync(join(instructionsDir, 'elsewhere.json'), '{}');
    const to = join(tempFolder(), 'b');
    await backingUp(fixture, to, { instructionsDir });
    expect(Object.keys(readAllFiles(join(to, 'files', 'instructions')))).toEqual(['elsewhere.json']);
  });

  test('never overwrites a target and never writes into the data folder', async () => {
    const fixture = homeFixture();
    const folder = tempFolder();
    mkdirSync(join(folder, 'full'));
    writeFileSync(join(folder, 'full', 'precious'), '');
    mkdirSync(join(folder, 'empty'));
    expect(await codeOf(backingUp(fixture, join(folder, 'full')))).toBe('TARGET_TAKEN');
    expect(await codeOf(backingUp(fixture, join(fixture.home, 'backups', 'b')))).toBe('CONFIG_ERROR');
    expect(await codeOf(backingUp(fixture, join(folder, 'full', 'precious', 'b')))).toBe('FILES_UNAVAILABLE');
    expect(await codeOf(backingUp(fixture, join(folder, 'empty')))).toBe('done');
    expect(readdirSync(folder).sort()).toEqual(['empty', 'full']);
  });

  test('names pg_dump for a PostgreSQL store, and copies only the files with --files-only', async () => {
    const fixture = homeFixture();
    await fixture.put('a', 'first');
    await fixture.createFiles();
    const { backupTo, ...storage }: Storage = fixture.storage;
    const folder = tempFolder();
    const refused = backingUp(fixture, join(folder, 'b'), { storage });
    await expect(refused).rejects.toMatchObject({
      code: 'BACKUP_ELSEWHERE',
      kind: { fix: expect.stringContaining('pg_dump') },
    });
    await backingUp(fixture, join(folder, 'b'), { storage, filesOnly: true });
    const home = join(folder, 'home');
    await restoring(join(folder, 'b'), home);
    expect(readdirSync(home).sort()).toEqual([
      'audit-checkpoints.jsonl',
      'blobs',
      'config.json',
      'instructions',
      'key',
    ]);
  });

  test('is named after the current time by default', () => {
    expect(backupNameAt(Date.UTC(2026, 1, 3, 4, 5, 6, 7))).toBe('fourfold-backup-20260203T040506Z');
  });
});

test('contains all tenants', async () => {
  const fixture = homeFixture();
  const tenant = toTenantId('acme');
  await fixture.put('x', 'theirs', tenant);
  const folder = tempFolder();
  await backingUp(fixture, join(folder, 'b'));
  const storage = openSqlite({
    ...fixture,
    file: join(folder, 'b', 'store.db'),
    log: { debug() {}, info() {}, warn() {}, error() {} },
    auditKey: Buffer.alloc(32),
  });
  expect(await storage.version(tenant, undefined)).toBe(1);
  expect(await storage.version(localTenant, undefined)).toBe(0);
  await storage.close();
});

test('an aborted backup leaves nothing behind, and so does a restore before its first change', async () => {
  const fixture = homeFixture();
  await fixture.createFiles();
  const folder = tempFolder();
  const stopAt = (message: string) => {
    const controller = new AbortController();
    const progress = (_done: number, _total: number | undefined, text: string) => {
      if (text.startsWith(message)) controller.abort(new Error('enough'));
    };
    return { signal: controller.signal, progress };
  };
  for (const step of ['copying the store', 'copying instructions', 'writing']) {
    await expect(backingUp(fixture, join(folder, 'b'), stopAt(step))).rejects.toThrow('enough');
  }
  expect(readdirSync(folder)).toEqual([]);
  await backingUp(fixture, join(folder, 'b'));
  const home = join(folder, 'home');
  for (const step of ['verifying files', 'copying files']) {
    await expect(restoring(join(folder, 'b'), home, stopAt(step))).rejects.toThrow('enough');
  }
  expect(readdirSync(home)).toEqual([]);
});
