import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { migrations } from '#migrations/all.ts';
import { openHomeFixture, readAllFiles } from '../home.fixture.ts';
import { codeOf, homeFixture, makeBackup, restoring, tempFolder } from './backup.fixture.ts';

describe('restore', () => {
  test('restores every file to its place, and nothing else', async () => {
    const { fixture, to } = await makeBackup();
    const home = join(tempFolder(), 'new', 'home');
    const result = await restoring(to, home);
    expect(result).toMatchObject({
      keys: 'from-backup',
      movedAside: undefined,
      withheld: ['databaseUrl'],
      madeAt: '2026-01-01T00:00:00.000Z',
    });
    const [before, after] = [readAllFiles(fixture.home), readAllFiles(home)];
    for (const path of Object.keys(after).filter((name) => !/^(fourfold\.db|config\.json)$/.test(name)))
      expect(after[path]).toBe(before[path]);
    expect(Object.keys(after).sort()).toEqual(
      Object.keys(before)
        .filter((path) => !/-wal|-shm/.test(path))
        .sort(),
    );
    expect(statSync(home).mode & 0o777).toBe(0o700);
    expect(statSync(join(home, 'fourfold.db')).mode & 0o777).toBe(0o600);
    const restored = homeFixture(home);
    expect(await restored.texts()).toEqual(['a: first']);
    expect(await restored.audit.verify(restored.callFor())).toMatchObject({ ok: true, headSeq: 1, checkpointSeq: 1 });
    await restored.put('b', 'second');
    expect(await restored.audit.verify(restored.callFor())).toMatchObject({ ok: true, headSeq: 2 });
  });

  test('[TR126] keeps the tombstones of the data folder, which are newer than the backup', async () => {
    const { to } = await makeBackup();
    const home = join(tempFolder(), 'home');
    const old = openHomeFixture({ home });
    await old.put('old', 'one');
    await old.storage.close();
    writeFileSync(join(home, 'tombstones.jsonl'), 'lines');
    await restoring(to, home, { force: true });
    expect(readFileSync(join(home, 'tombstones.jsonl'), 'utf8')).toBe('lines');
  });

  test('rejects a folder with a store; with --force it moves everything aside and deletes nothing', async () => {
    const { to } = await makeBackup();
    const home = join(tempFolder(), 'home');
    const old = openHomeFixture({ home });
    await old.put('old', 'still wanted');
    await old.createFiles();
    await old.storage.close();
    writeFileSync(join(home, 'my-notes.txt'), 'mine');
    const before = readAllFiles(home);
    await expect(restoring(to, home)).rejects.toMatchObject({
      code: 'HOME_TAKEN',
      message: `The data folder ${home} already contains fourfold.db, audit-checkpoints.jsonl, config.json, another key file`,
    });
    expect(readAllFiles(home)).toEqual(before);
    const { movedAside } = await restoring(to, home, { force: true });
    expect(movedAside).toBe(`${home}.before-restore-20260101T000000Z`);
    expect(readAllFiles(movedAside!)).toEqual(before);
    expect(existsSync(join(home, 'my-notes.txt'))).toBe(false);
    expect(await homeFixture(home).texts()).toEqual(['a: first']);
    const again = await restoring(to, join(tempFolder(), 'other'), { force: true });
    expect(again.movedAside).toBeUndefined();
  });

  test('rejects leftover files of a deleted store, because SQLite would replay its log into the new one', async () => {
    const { to } = await makeBackup();
    const home = tempFolder();
    writeFileSync(join(home, 'fourfold.db-wal'), 'frames');
    expect(await codeOf(restoring(to, home))).toBe('HOME_TAKEN');
    const { movedAside } = await restoring(to, home, { force: true });
    expect(readdirSync(movedAside!)).toEqual(['fourfold.db-wal']);
    rmSync(movedAside!, { recursive: true });
  });

  test('rejects a store that any process has open, even an idle one', async () => {
    const { to } = await makeBackup();
    const home = tempFolder();
    const idle = homeFixture(home);
    expect(await codeOf(restoring(to, home, { force: true }))).toBe('STORE_IN_USE');
    expect(await codeOf(restoring(to, home))).toBe('HOME_TAKEN');
    await idle.put('c', 'still works');
    await idle.storage.close();
    const { movedAside } = await restoring(to, home, { force: true });
    expect(Object.keys(readAllFiles(movedAside!)).sort()).toEqual(['fourfold.db', 'key']);
    rmSync(movedAside!, { recursive: true });
  });

  test('replaces a store that is not a database', async () => {
    const { to } = await makeBackup();
    const home = tempFolder();
    writeFileSync(join(home, 'fourfold.db'), 'scribble'.repeat(1_000));
    const { movedAside } = await restoring(to, home, { force: true });
    expect(readFileSync(join(movedAside!, 'fourfold.db'), 'utf8')).toContain('scribble');
    rmSync(movedAside!, { recursive: true });
    expect(await homeFixture(home).texts()).toEqual(['a: first']);
  });

  test('rejects a store of a newer version', async () => {
    const { to } = await makeBackup();
    const home = join(tempFolder(), 'home');
    const refused = restoring(to, home, { migrations: migrations.slice(0, 1) });
    await expect(refused).rejects.toMatchObject({ code: 'STORE_NEWER' });
    expect(existsSync(home)).toBe(false);
  });

  test('needs the keys of the backup, unless --new-keys is given', async () => {
    const { to, fixture } = await makeBackup({ withKeys: false });
    const empty = join(tempFolder(), 'empty');
    expect(await codeOf(restoring(to, empty))).toBe('KEYS_MISSING');
    expect(existsSync(empty)).toBe(false);
    expect(await restoring(to, empty, { newKeys: true })).toMatchObject({ keys: 'new' });

    const foreign = tempFolder();
    writeFileSync(join(foreign, 'key'), `${Buffer.alloc(32, 7).toString('base64url')}\n`);
    expect(await codeOf(restoring(to, foreign))).toBe('KEYS_MISSING');
    expect(await restoring(to, foreign, { newKeys: true })).toMatchObject({ keys: 'kept' });

    const own = tempFolder();
    writeFileSync(join(own, 'key'), readFileSync(fixture.keyFile));
    expect(await restoring(to, own)).toMatchObject({ keys: 'kept' });
    const restored = homeFixture(own);
    expect(await restored.audit.verify(restored.callFor())).toMatchObject({ ok: true });
  });

  test('keeps the key file with --force when the backup has no keys', async () => {
    const { to, fixture } = await makeBackup({ withKeys: false });
    const key = readFileSync(fixture.keyFile, 'utf8');
    await fixture.storage.close();
    const { movedAside, keys } = await restoring(to, fixture.home, { force: true });
    onTestFinished(() => rmSync(movedAside!, { recursive: true, force: true }));
    expect(keys).toBe('kept');
    expect(readFileSync(fixture.keyFile, 'utf8')).toBe(key);
    expect(readFileSync(join(movedAside!, 'key'), 'utf8')).toBe(key);
  });

  test('restores a key file outside the data folder, and replaces a different one only with --force', async () => {
    const { to, fixture } = await makeBackup();
    const folder = tempFolder();
    const keyFile = join(folder, 'secrets', 'key');
    await restoring(to, join(folder, 'home'), { keyFile });
    expect(readFileSync(keyFile)).toEqual(readFileSync(fixture.keyFile));
    expect(existsSync(join(folder, 'home', 'key'))).toBe(false);
    writeFileSync(keyFile, 'another');
    expect(await codeOf(restoring(to, join(folder, 'home2'), { keyFile }))).toBe('HOME_TAKEN');
    await restoring(to, join(folder, 'home2'), { keyFile, force: true });
    expect(readFileSync(keyFile)).toEqual(readFileSync(fixture.keyFile));
    expect(readFileSync(`${keyFile}.before-restore-20260101T000000Z`, 'utf8')).toBe('another');
    expect(readdirSync(join(folder, 'secrets'))).toHaveLength(2);
  });
});
