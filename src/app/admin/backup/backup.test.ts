import { execFile, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { localTenant, toTenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import { createKeys } from '#kernel/keys/keys.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { openSqlite } from '#kernel/storage/sqlite/open-sqlite.ts';
import { migrations } from '#migrations/all.ts';
import { nodeFlags } from '#tests/support/postgres/node-flags.ts';
import { openPlantedHome, type PlantedHome, readAllFiles } from '../planted-home.ts';
import { type BackupOptions, backup, backupNameAt } from './backup.ts';
import { toManifestText } from './manifest.ts';
import { type RestoreOptions, restore } from './restore.ts';
import { verifyBackup } from './verify-backup.ts';

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ff-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function plantHome(home?: string): PlantedHome {
  const planted = openPlantedHome(home === undefined ? {} : { home });
  onTestFinished(async () => {
    await planted.storage.close();
    planted.remove();
  });
  return planted;
}

const backingUp = (planted: PlantedHome, to: string, more: Partial<BackupOptions> = {}) =>
  backup({ ...planted, to, withKeys: true, ...more });

const restoring = (from: string, home: string, more: Partial<RestoreOptions> = {}) =>
  restore({ from, home, keyFile: join(home, 'key'), migrations, clock: createManualClock(), ...more });

/** A planted home and a whole backup of it. */
async function makeBackup(more: Partial<BackupOptions> = {}) {
  const planted = plantHome();
  await planted.put('a', 'first');
  await planted.plantFiles();
  const to = join(tempFolder(), 'backup');
  const result = await backingUp(planted, to, more);
  return { planted, to, result };
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? String(error),
  );

describe('backup', () => {
  test('holds the store, the files and the keys, and nothing else may read it', async () => {
    const { to, result, planted } = await makeBackup();
    const paths = Object.keys(readAllFiles(to)).sort();
    const blob = paths.find((path) => path.startsWith('files/blobs/'));
    expect(paths).toEqual(
      [
        blob,
        'files/audit-checkpoints.jsonl',
        'files/config.json',
        'files/instructions/be-kind.json',
        'keys/key',
        'manifest.json',
        'store.db',
      ].sort(),
    );
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

  test('is one state of the store while it is written to, and its chain verifies', async () => {
    const planted = plantHome();
    await planted.plantFiles();
    const folder = tempFolder();
    const writes: Promise<unknown>[] = [];
    for (let round = 0; round < 10; round += 1) {
      for (let i = 0; i < 30; i += 1) writes.push(planted.put(`${round}-${i}`, 'x'.repeat(500)));
      const home = join(folder, `home-${round}`);
      await backingUp(planted, join(folder, `b${round}`), {
        // The worst moment for it: the chain has grown when the checkpoint is written.
        progress: () => void planted.audit.checkpoint(planted.callFor()),
      });
      await restoring(join(folder, `b${round}`), home);
      const restored = openPlantedHome({ home });
      expect(await restored.audit.verify(restored.callFor())).toMatchObject({ ok: true, issues: [] });
      await restored.storage.close();
    }
    await Promise.all(writes);
    expect((await planted.texts()).length).toBe(300);
  });

  test('leaves out half-written files, does not follow links, and says what it left', async () => {
    const planted = plantHome();
    await planted.plantFiles();
    const outside = join(tempFolder(), 'outside');
    writeFileSync(outside, 'not ours');
    mkdirSync(join(planted.home, 'blobs', 'tmp'), { recursive: true });
    writeFileSync(join(planted.home, 'blobs', 'tmp', 'half'), 'half');
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
    const storage: Storage = { ...planted.storage, dialect: 'postgres' };
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
    for (const path of Object.keys(after).filter((path) => path !== 'fourfold.db' && path !== 'config.json'))
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
    expect(await codeOf(restoring(to, home))).toBe('HOME_TAKEN');
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

describe('a damaged backup is refused before anything is touched', () => {
  const refuse = async (damage: (to: string) => void, why: string, code = 'BACKUP_DAMAGED') => {
    const { to } = await makeBackup();
    damage(to);
    const home = tempFolder();
    writeFileSync(join(home, 'mine'), 'mine');
    await expect(restoring(to, home, { force: true })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(why),
    });
    expect(readAllFiles(home)).toEqual({ mine: Buffer.from('mine').toString('base64') });
  };
  const editManifest = (to: string, edit: (body: Record<string, unknown>) => unknown, reseal = false) => {
    const { seal, ...body } = JSON.parse(readFileSync(join(to, 'manifest.json'), 'utf8'));
    const edited = { ...body, ...(edit(body) as object) };
    const text = reseal ? toManifestText(createKeys(Buffer.alloc(32)), edited) : JSON.stringify({ ...edited, seal });
    writeFileSync(join(to, 'manifest.json'), text);
  };
  const flip = (file: string) => {
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(file, bytes);
  };

  test('one bit of any file', async () => {
    for (const path of [
      'store.db',
      'keys/key',
      'files/config.json',
      'files/instructions/be-kind.json',
      'files/audit-checkpoints.jsonl',
    ]) {
      await refuse((to) => flip(join(to, path)), `${path} is not what it was`);
    }
  });

  test('a file that is missing, cut off, or a link to another place', async () => {
    await refuse((to) => rmSync(join(to, 'store.db')), 'store.db is missing');
    await refuse(
      (to) => writeFileSync(join(to, 'store.db'), readFileSync(join(to, 'store.db')).subarray(0, 4096)),
      'store.db has 4096 bytes',
    );
    await refuse((to) => {
      const file = join(to, 'files/instructions/be-kind.json');
      rmSync(file);
      writeFileSync(join(to, 'elsewhere'), '{"id":"be-kind"}');
      symlinkSync(join(to, 'elsewhere'), file);
    }, 'no plain file');
  });

  test('a manifest that is missing, no JSON, of a newer version, or edited', async () => {
    await refuse((to) => rmSync(join(to, 'manifest.json')), 'no manifest.json');
    await refuse((to) => writeFileSync(join(to, 'manifest.json'), '{'), 'not JSON');
    await refuse((to) => writeFileSync(join(to, 'manifest.json'), 'null'), 'damaged');
    await refuse((to) => editManifest(to, () => ({ version: 2 })), 'restore it with a newer one');
    await refuse((to) => editManifest(to, () => ({ schema: 1 })), 'was changed after it was written');
    await refuse((to) => editManifest(to, () => ({ withKeys: false })), 'was changed after it was written');
    await refuse((to) => editManifest(to, () => ({ files: [] })), 'was changed after it was written');
  });

  test('a manifest that was sealed anew by somebody without the key', async () => {
    await refuse((to) => editManifest(to, () => ({ at: 'yesterday' }), true), 'not written by a holder of the key');
    await refuse((to) => editManifest(to, () => ({ schema: 1 }), true), 'store.db has the schema');
    await refuse((to) => editManifest(to, () => ({ schema: 1_000 }), true), 'newer version', 'STORE_NEWER');
    await refuse((to) => editManifest(to, () => ({ store: 'none' }), true), 'whether it holds the store');
    await refuse((to) => editManifest(to, () => ({ withKeys: false }), true), 'whether it holds the keys');
  });

  test('a path that leads out of the data folder, even under a seal that fits', async () => {
    const paths = [
      '../evil',
      '/etc/evil',
      'files/../../evil',
      'files/blobs/../../../evil',
      'files\\..\\evil',
      'files/blobs//x',
      'evil',
      'keys/other',
      'files/fourfold.db',
    ];
    for (const path of paths) {
      await refuse(
        (to) =>
          editManifest(
            to,
            ({ files }) => ({ files: [...(files as object[]), { path, bytes: 0, sha256: '0'.repeat(64) }] }),
            true,
          ),
        'damaged at files',
      );
    }
  });

  test('a folder that is no backup at all', async () => {
    const home = join(tempFolder(), 'home');
    expect(await codeOf(restoring(tempFolder(), home))).toBe('BACKUP_DAMAGED');
    expect(await codeOf(restoring(join(tempFolder(), 'nowhere'), home))).toBe('BACKUP_DAMAGED');
    expect(existsSync(home)).toBe(false);
  });
});

const script = fileURLToPath(new URL('./planted-process.ts', import.meta.url));

test('another process that writes all the time neither waits for a backup nor disturbs it', async () => {
  const planted = plantHome();
  const folder = tempFolder();
  const writer = spawn(process.execPath, [...nodeFlags, script, 'write', planted.home], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const counts: number[] = [];
  const lines = createInterface({ input: writer.stderr })[Symbol.asyncIterator]();
  const wrote = async (): Promise<number> => Number(String((await lines.next()).value).split(' ')[1]);
  try {
    for (let round = 0; round < 5; round += 1) {
      const before = await wrote();
      await backingUp(planted, join(folder, `b${round}`));
      await restoring(join(folder, `b${round}`), join(folder, `h${round}`));
      const restored = openPlantedHome({ home: join(folder, `h${round}`) });
      counts.push((await restored.texts()).length);
      expect(counts.at(-1)).toBeGreaterThanOrEqual(before);
      expect(await restored.audit.verify(restored.callFor())).toMatchObject({ ok: true, headSeq: counts.at(-1) });
      await restored.storage.close();
    }
  } finally {
    writer.kill('SIGKILL');
  }
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect(counts.at(-1)).toBeGreaterThan(counts[0]!);
});

describe('killed in the middle', () => {
  /** Runs the process up to a step and kills it there; answers what it said last. */
  async function killAt(command: 'backup' | 'restore', home: string, folder: string, step: number): Promise<string> {
    const child = spawn(process.execPath, [...nodeFlags, script, command, home, folder, String(step)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const said: string[] = [];
    for await (const line of createInterface({ input: child.stderr })) {
      said.push(line);
      if (line.startsWith('at ')) child.kill('SIGKILL');
    }
    return said.at(-1) ?? '';
  }

  test('a backup never has its name before it is whole, and the next one succeeds', async () => {
    const planted = plantHome();
    await planted.put('a', 'first');
    await planted.plantFiles();
    const folder = tempFolder();
    const said: string[] = [];
    for (let step = 1; said.at(-1) !== 'done'; step += 1) {
      const to = join(folder, `b${step}`);
      said.push(await killAt('backup', planted.home, to, step));
      if (said.at(-1) !== 'done') {
        expect(existsSync(to)).toBe(false);
        const partial = readdirSync(folder).find((name) => name.startsWith(`b${step}.partial-`))!;
        const isWhole = said.at(-1) === 'at giving it its name';
        expect(await codeOf(verifyBackup(join(folder, partial), migrations))).toBe(isWhole ? 'done' : 'BACKUP_DAMAGED');
        await planted.put(`after ${step}`, 'the store is none the worse');
        await backingUp(planted, to);
      }
      await verifyBackup(to, migrations);
    }
    expect(said.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'at copying',
      'at copying',
      'at copying',
      'at writing',
      'at giving',
      'done',
    ]);
  });

  test('a restore leaves the old or nothing in place, loses neither, and can be run again', async () => {
    const { to, planted } = await makeBackup();
    for (let step = 1, last = ''; last !== 'done'; step += 1) {
      const root = tempFolder();
      const home = join(root, 'home');
      const old = openPlantedHome({ home });
      await old.put('old', 'still wanted');
      await old.storage.close();
      last = await killAt('restore', home, to, step);
      const aside = readdirSync(root).find((name) => name.startsWith('home.before-restore-'));
      const oldHome = aside === undefined ? home : join(root, aside);
      expect(existsSync(join(oldHome, 'fourfold.db'))).toBe(true);
      if (last !== 'done') {
        if (aside !== undefined) expect(existsSync(join(home, 'fourfold.db'))).toBe(false);
        await restoring(to, home, { force: aside === undefined });
      }
      expect(readdirSync(home).filter((name) => name.startsWith('.restoring'))).toEqual([]);
      const restored = openPlantedHome({ home });
      expect(await restored.texts()).toEqual(await planted.texts());
      await restored.storage.close();
      const whereOld = readdirSync(root).find((name) => name.startsWith('home.before-restore-'))!;
      const moved = openPlantedHome({ home: join(root, whereOld) });
      expect(await moved.texts()).toEqual(['old: still wanted']);
      await moved.storage.close();
    }
  });

  test('the planted process does what it says when nobody kills it', async () => {
    const planted = plantHome();
    const to = join(tempFolder(), 'b');
    const { stderr } = await promisify(execFile)(process.execPath, [...nodeFlags, script, 'backup', planted.home, to]);
    expect(stderr).toBe('done\n');
    await verifyBackup(to, migrations);
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
