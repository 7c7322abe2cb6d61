import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { localTenant, toTenantId } from '#kernel/call.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { openSqlite, type SqliteStorage } from '#kernel/storage/sqlite/open.ts';
import { migrations } from '#migrations/all.ts';
import { readAllFiles } from '../home.fixture.ts';
import { backingUp, codeOf, makeBackup, plantHome, restoring, tempFolder } from './backup.fixture.ts';
import { backupNameAt } from './backup.ts';
import { verifyBackup } from './verify-backup.ts';

describe('backup', () => {
  test('holds the store, the files and the keys, and nothing else may read it', async () => {
    const { to, result, planted } = await makeBackup();
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
    const manifest = await verifyBackup(to, planted.migrations);
    expect(manifest.body).toMatchObject({
      program: '1.2.3',
      schema: migrations.at(-1)?.id,
      at: '2026-01-01T00:00:00.000Z',
    });
  });

  test('holds no secret unless the keys were asked for, and never a password of the configuration', async () => {
    const { to, planted } = await makeBackup({ withKeys: false });
    const secret = readFileSync(planted.keyFile, 'utf8').trim();
    for (const [path, content] of Object.entries(readAllFiles(to))) {
      const text = Buffer.from(content, 'base64').toString('latin1');
      expect(`${path} ${text.includes(secret)} ${text.includes('swordfish')}`).toBe(`${path} false false`);
    }
    expect(JSON.parse(readFileSync(join(to, 'files/config.json'), 'utf8'))).toEqual({ logLevel: 'warn' });
  });

  test('a config.json that cannot be read as JSON might hide a password anywhere, and stays out', async () => {
    const planted = plantHome();
    writeFileSync(join(planted.home, 'config.json'), '{"databaseUrl":"postgres://me:swordfish@db/x"');
    const to = join(tempFolder(), 'b');
    expect(await backingUp(planted, to)).toMatchObject({ skipped: [join(planted.home, 'config.json')], withheld: [] });
    expect(JSON.stringify(readAllFiles(to))).not.toContain('c3dvcmRmaXNo');
    expect(existsSync(join(to, 'files/config.json'))).toBe(false);
  });

  test('is one state of the store, and its chain verifies, also when a checkpoint is written meanwhile', async () => {
    const planted = plantHome();
    await planted.put('a', 'first');
    await planted.plantFiles();
    const folder = tempFolder();
    /** The worst moment for it: the store is copied already when the chain and its checkpoint grow. */
    const storage: SqliteStorage = {
      ...planted.storage,
      async backupTo(file) {
        await planted.storage.backupTo(file);
        await planted.put('b', 'second');
        await planted.audit.checkpoint(planted.callFor());
      },
    };
    await backingUp(planted, join(folder, 'b'), { storage });
    await restoring(join(folder, 'b'), join(folder, 'home'));
    const restored = plantHome(join(folder, 'home'));
    expect(await restored.texts()).toEqual(['a: first']);
    expect(await restored.audit.verify(restored.callFor())).toMatchObject({ ok: true, headSeq: 1, checkpointSeq: 1 });
  });

  test('leaves out half-written files, does not follow links, and says what it left', async () => {
    const planted = plantHome();
    await planted.plantFiles();
    const outside = join(tempFolder(), 'outside');
    writeFileSync(outside, 'not ours');
    mkdirSync(join(planted.home, 'blobs', 'tmp'), { recursive: true });
    writeFileSync(join(planted.home, 'blobs', 'tmp', 'half'), 'half');
    mkdirSync(join(planted.home, 'blobs', 'of-a-tenant', 'tmp'), { recursive: true });
    writeFileSync(join(planted.home, 'blobs', 'of-a-tenant', 'tmp', 'half'), 'half');
    writeFileSync(join(planted.home, 'instructions', 'x.json.tmp'), 'half');
    symlinkSync(outside, join(planted.home, 'instructions', 'link.json'));
    const to = join(tempFolder(), 'b');
    expect((await backingUp(planted, to)).skipped).toEqual([join(planted.home, 'instructions', 'link.json')]);
    expect(Object.keys(readAllFiles(join(to, 'files', 'instructions')))).toEqual(['be-kind.json']);
    expect(Object.keys(readAllFiles(join(to, 'files', 'blobs')))).toHaveLength(1);
  });

  test('takes instruction files from where they are', async () => {
    const planted = plantHome();
    const instructionsDir = tempFolder();
    writeFileSync(join(instructionsDir, 'elsewhere.json'), '{}');
    const to = join(tempFolder(), 'b');
    await backingUp(planted, to, { instructionsDir });
    expect(Object.keys(readAllFiles(join(to, 'files', 'instructions')))).toEqual(['elsewhere.json']);
  });

  test('does not write over anything, nor into what it copies', async () => {
    const planted = plantHome();
    const folder = tempFolder();
    mkdirSync(join(folder, 'full'));
    writeFileSync(join(folder, 'full', 'precious'), '');
    mkdirSync(join(folder, 'empty'));
    expect(await codeOf(backingUp(planted, join(folder, 'full')))).toBe('TARGET_TAKEN');
    expect(await codeOf(backingUp(planted, join(planted.home, 'backups', 'b')))).toBe('CONFIG_ERROR');
    expect(await codeOf(backingUp(planted, join(folder, 'full', 'precious', 'b')))).toBe('FILES_UNAVAILABLE');
    expect(await codeOf(backingUp(planted, join(folder, 'empty')))).toBe('done');
    expect(readdirSync(folder).sort()).toEqual(['empty', 'full']);
  });

  test('of a PostgreSQL deployment names pg_dump, and keeps the files when only they are asked for', async () => {
    const planted = plantHome();
    await planted.put('a', 'first');
    await planted.plantFiles();
    const { backupTo, ...storage }: Storage = planted.storage;
    const folder = tempFolder();
    const refused = backingUp(planted, join(folder, 'b'), { storage });
    await expect(refused).rejects.toMatchObject({
      code: 'BACKUP_ELSEWHERE',
      kind: { fix: expect.stringContaining('pg_dump') },
    });
    await backingUp(planted, join(folder, 'b'), { storage, filesOnly: true });
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

  test('is named after its time when nobody named it', () => {
    expect(backupNameAt(Date.UTC(2026, 1, 3, 4, 5, 6, 7))).toBe('fourfold-backup-20260203T040506Z');
  });
});

test('tenants other than the local one are in the backup, too', async () => {
  const planted = plantHome();
  const tenant = toTenantId('acme');
  await planted.put('x', 'theirs', tenant);
  const folder = tempFolder();
  await backingUp(planted, join(folder, 'b'));
  const storage = openSqlite({
    ...planted,
    file: join(folder, 'b', 'store.db'),
    log: { debug() {}, info() {}, warn() {}, error() {} },
    auditKey: Buffer.alloc(32),
  });
  expect(await storage.version(tenant, undefined)).toBe(1);
  expect(await storage.version(localTenant, undefined)).toBe(0);
  await storage.close();
});

test('a backup that is stopped leaves nothing behind, and so does a restore as long as nothing was changed', async () => {
  const planted = plantHome();
  await planted.plantFiles();
  const folder = tempFolder();
  const stopAt = (message: string) => {
    const controller = new AbortController();
    const progress = (_done: number, _total: number | undefined, told: string) => {
      if (told.startsWith(message)) controller.abort(new Error('enough'));
    };
    return { signal: controller.signal, progress };
  };
  for (const step of ['copying the store', 'copying instructions', 'writing']) {
    await expect(backingUp(planted, join(folder, 'b'), stopAt(step))).rejects.toThrow('enough');
  }
  expect(readdirSync(folder)).toEqual([]);
  await backingUp(planted, join(folder, 'b'));
  const home = join(folder, 'home');
  for (const step of ['verifying files', 'copying files']) {
    await expect(restoring(join(folder, 'b'), home, stopAt(step))).rejects.toThrow('enough');
  }
  expect(readdirSync(home)).toEqual([]);
});
