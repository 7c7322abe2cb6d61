import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { migrations } from '#migrations/all.ts';
import { openPlantedHome, readAllFiles } from '../home.fixture.ts';
import { codeOf, makeBackup, plantHome, restoring, tempFolder } from './backup.fixture.ts';

describe('restore', () => {
  test('brings everything back where it was, and only that', async () => {
    const { planted, to } = await makeBackup();
    const home = join(tempFolder(), 'new', 'home');
    const result = await restoring(to, home);
    expect(result).toMatchObject({
      keys: 'from-backup',
      movedAside: undefined,
      withheld: ['databaseUrl'],
      madeAt: '2026-01-01T00:00:00.000Z',
    });
    const [before, after] = [readAllFiles(planted.home), readAllFiles(home)];
    for (const path of Object.keys(after).filter((name) => !/^(fourfold\.db|config\.json)$/.test(name)))
      expect(after[path]).toBe(before[path]);
    expect(Object.keys(after).sort()).toEqual(
      Object.keys(before)
        .filter((path) => !/-wal|-shm/.test(path))
        .sort(),
    );
    expect(statSync(home).mode & 0o777).toBe(0o700);
    expect(statSync(join(home, 'fourfold.db')).mode & 0o777).toBe(0o600);
    const restored = plantHome(home);
    expect(await restored.texts()).toEqual(['a: first']);
    expect(await restored.audit.verify(restored.callFor())).toMatchObject({ ok: true, headSeq: 1, checkpointSeq: 1 });
    await restored.put('b', 'second');
    expect(await restored.audit.verify(restored.callFor())).toMatchObject({ ok: true, headSeq: 2 });
  });

  test('refuses a folder that holds a store, and with force moves everything aside, deleting nothing', async () => {
    const { to } = await makeBackup();
    const home = join(tempFolder(), 'home');
    const old = openPlantedHome({ home });
    await old.put('old', 'still wanted');
    await old.plantFiles();
    await old.storage.close();
    writeFileSync(join(home, 'my-notes.txt'), 'mine');
    const before = readAllFiles(home);
    await expect(restoring(to, home)).rejects.toMatchObject({
      code: 'HOME_TAKEN',
      message: `The data folder ${home} holds fourfold.db, audit-checkpoints.jsonl, config.json, another key file already`,
    });
    expect(readAllFiles(home)).toEqual(before);
    const { movedAside } = await restoring(to, home, { force: true });
    expect(movedAside).toBe(`${home}.before-restore-20260101T000000Z`);
    expect(readAllFiles(movedAside!)).toEqual(before);
    expect(existsSync(join(home, 'my-notes.txt'))).toBe(false);
    expect(await plantHome(home).texts()).toEqual(['a: first']);
    const again = await restoring(to, join(tempFolder(), 'other'), { force: true });
    expect(again.movedAside).toBeUndefined();
  });

  test('refuses leftovers of a store that is gone: its log would be played into the new one', async () => {
    const { to } = await makeBackup();
    const home = tempFolder();
    writeFileSync(join(home, 'fourfold.db-wal'), 'frames');
    expect(await codeOf(restoring(to, home))).toBe('HOME_TAKEN');
    const { movedAside } = await restoring(to, home, { force: true });
    expect(readdirSync(movedAside!)).toEqual(['fourfold.db-wal']);
    rmSync(movedAside!, { recursive: true });
  });

  test('refuses while any process has the store open, even one that does nothing', async () => {
    const { to } = await makeBackup();
    const home = tempFolder();
    const idle = plantHome(home);
    expect(await codeOf(restoring(to, home, { force: true }))).toBe('STORE_IN_USE');
    expect(await codeOf(restoring(to, home))).toBe('HOME_TAKEN');
    await idle.put('c', 'still works');
    await idle.storage.close();
    const { movedAside } = await restoring(to, home, { force: true });
    expect(Object.keys(readAllFiles(movedAside!)).sort()).toEqual(['fourfold.db', 'key']);
    rmSync(movedAside!, { recursive: true });
  });

  test('replaces a store that is no database any more', async () => {
    const { to } = await makeBackup();
    const home = tempFolder();
    writeFileSync(join(home, 'fourfold.db'), 'scribble'.repeat(1_000));
    const { movedAside } = await restoring(to, home, { force: true });
    expect(readFileSync(join(movedAside!, 'fourfold.db'), 'utf8')).toContain('scribble');
    rmSync(movedAside!, { recursive: true });
    expect(await plantHome(home).texts()).toEqual(['a: first']);
  });

  test('refuses a store of a newer version', async () => {
    const { to } = await makeBackup();
    const home = join(tempFolder(), 'home');
    const refused = restoring(to, home, { migrations: migrations.slice(0, 1) });
    await expect(refused).rejects.toMatchObject({ code: 'STORE_NEWER' });
    expect(existsSync(home)).toBe(false);
  });

  test('without keys needs those that the backup was made under, or to be told that they are gone', async () => {
    const { to, planted } = await makeBackup({ withKeys: false });
    const empty = join(tempFolder(), 'empty');
    expect(await codeOf(restoring(to, empty))).toBe('KEYS_MISSING');
    expect(existsSync(empty)).toBe(false);
    expect(await restoring(to, empty, { newKeys: true })).toMatchObject({ keys: 'new' });

    const foreign = tempFolder();
    writeFileSync(join(foreign, 'key'), `${Buffer.alloc(32, 7).toString('base64url')}\n`);
    expect(await codeOf(restoring(to, foreign))).toBe('KEYS_MISSING');
    expect(await restoring(to, foreign, { newKeys: true })).toMatchObject({ keys: 'kept' });

    const own = tempFolder();
    writeFileSync(join(own, 'key'), readFileSync(planted.keyFile));
    expect(await restoring(to, own)).toMatchObject({ keys: 'kept' });
    const restored = plantHome(own);
    expect(await restored.audit.verify(restored.callFor())).toMatchObject({ ok: true });
  });

  test('with force and without keys in the backup the key file stays where it is', async () => {
    const { to, planted } = await makeBackup({ withKeys: false });
    const key = readFileSync(planted.keyFile, 'utf8');
    await planted.storage.close();
    const { movedAside, keys } = await restoring(to, planted.home, { force: true });
    onTestFinished(() => rmSync(movedAside!, { recursive: true, force: true }));
    expect(keys).toBe('kept');
    expect(readFileSync(planted.keyFile, 'utf8')).toBe(key);
    expect(readFileSync(join(movedAside!, 'key'), 'utf8')).toBe(key);
  });

  test('a key file elsewhere is put there, and one that differs is set aside only with force', async () => {
    const { to, planted } = await makeBackup();
    const folder = tempFolder();
    const keyFile = join(folder, 'secrets', 'key');
    await restoring(to, join(folder, 'home'), { keyFile });
    expect(readFileSync(keyFile)).toEqual(readFileSync(planted.keyFile));
    expect(existsSync(join(folder, 'home', 'key'))).toBe(false);
    writeFileSync(keyFile, 'another');
    expect(await codeOf(restoring(to, join(folder, 'home2'), { keyFile }))).toBe('HOME_TAKEN');
    await restoring(to, join(folder, 'home2'), { keyFile, force: true });
    expect(readFileSync(keyFile)).toEqual(readFileSync(planted.keyFile));
    expect(readFileSync(`${keyFile}.before-restore-20260101T000000Z`, 'utf8')).toBe('another');
    expect(readdirSync(join(folder, 'secrets'))).toHaveLength(2);
  });

  test('runs the steps of the memories when everything is in its place', async () => {
    const { to } = await makeBackup();
    const home = join(tempFolder(), 'home');
    const seen: unknown[] = [];
    const step = { name: 'replay the journal', run: async () => void seen.push(existsSync(join(home, 'fourfold.db'))) };
    await restoring(to, home, { afterRestore: [step] });
    expect(seen).toEqual([true]);
    await restoring(join(home, 'nowhere'), home, { afterRestore: [step] }).catch(() => {});
    expect(seen).toHaveLength(1);
  });
});
