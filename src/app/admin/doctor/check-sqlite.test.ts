import { execFile } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { migrations } from '#migrations/all.ts';
import { nodeFlags } from '#tests/support/postgres/node-flags.ts';
import { openPlantedHome, type PlantedHome } from '../home.fixture.ts';
import type { DoctorCheck } from './doctor-check.ts';
import { examine, named, plantHome, troubles } from './examine.fixture.ts';

describe('a store', () => {
  const closedHome = async (): Promise<PlantedHome> => {
    const planted = plantHome();
    await planted.put('a', 'x'.repeat(100_000));
    await planted.storage.close();
    return planted;
  };
  const storeOf = ({ home }: PlantedHome) => join(home, 'fourfold.db');

  test('of a newer version is named, left alone, and not opened', async () => {
    const planted = await closedHome();
    const db = new Database(storeOf(planted));
    db.pragma('user_version = 1000');
    db.close();
    const before = readFileSync(storeOf(planted));
    const checks = await examine(planted.home);
    expect(named(checks, 'store')).toMatchObject([
      { status: 'fail', detail: expect.stringContaining('schema 1000'), fix: expect.stringContaining('newer version') },
    ]);
    expect(named(checks, 'durability')).toEqual([]);
    expect(readFileSync(storeOf(planted))).toEqual(before);
  });

  test('of an older version is not migrated by looking at it', async () => {
    const planted = openPlantedHome({ migrations: migrations.slice(0, 1) });
    onTestFinished(() => planted.remove());
    await planted.storage.close();
    const checks = await examine(planted.home);
    expect(named(checks, 'store')).toMatchObject([
      { status: 'warn', detail: expect.stringContaining('the next start brings it to') },
    ]);
    expect(named(checks, 'audit')).toEqual([]);
    const db = new Database(storeOf(planted), { readonly: true });
    expect(db.pragma('user_version', { simple: true })).toBe(1);
    db.close();
  });

  test('that is no database, is cut off, or has a broken page', async () => {
    const scribbled = await closedHome();
    writeFileSync(storeOf(scribbled), 'scribble'.repeat(2_000));
    expect(named(await examine(scribbled.home), 'store')).toMatchObject([
      { status: 'fail', detail: expect.stringContaining('not a database') },
    ]);

    const cut = await closedHome();
    truncateSync(storeOf(cut), 8_192);
    expect(troubles(await examine(cut.home)).some((trouble) => /^(store|integrity) fail$/.test(trouble))).toBe(true);

    const torn = await closedHome();
    const bytes = readFileSync(storeOf(torn));
    bytes.fill(0x5a, 4_096, bytes.length - 4_096);
    writeFileSync(storeOf(torn), bytes);
    const checks = await examine(torn.home);
    const found = checks.filter(({ name, status }) => /^(store|integrity)$/.test(name) && status === 'fail');
    expect(found.length).toBeGreaterThan(0);
    expect(found[0]?.fix).toMatch(/restore/);
  });

  test('whose file others may read', async () => {
    const planted = await closedHome();
    chmodSync(storeOf(planted), 0o644);
    expect(named(await examine(planted.home, { openStorage: async () => planted.storage }), 'store')).toMatchObject([
      { status: 'warn', fix: `Run: chmod 600 ${storeOf(planted)}` },
    ]);
  });

  test('in a folder that may not be written', async () => {
    const planted = await closedHome();
    const isRoot = process.getuid?.() === 0;
    // Root may write everywhere: then somebody else looks.
    const nobody = { uid: 65_534, gid: 65_534 };
    if (isRoot)
      for (const path of [planted.home, storeOf(planted), planted.keyFile]) chownSync(path, nobody.uid, nobody.gid);
    chmodSync(planted.home, 0o500);
    onTestFinished(() => chmodSync(planted.home, 0o700));
    const script = fileURLToPath(new URL('./doctor.fixture.ts', import.meta.url));
    const { stderr } = await promisify(execFile)(
      process.execPath,
      [...nodeFlags, script, planted.home],
      isRoot ? nobody : {},
    );
    const checks = JSON.parse(stderr) as DoctorCheck[];
    expect(named(checks, 'data folder')).toMatchObject([
      { status: 'fail', detail: expect.stringContaining('cannot be written (EACCES)') },
    ]);
    expect(checks.some(({ name, status }) => /^(store|durability)$/.test(name) && status === 'fail')).toBe(true);
    expect(named(checks, 'port')).toMatchObject([{ status: 'ok' }]);
  });

  test('whose keys are gone, damaged, or to be read by others; the doctor makes no new ones', async () => {
    const planted = await closedHome();
    const secret = readFileSync(planted.keyFile, 'utf8').trim();
    chmodSync(planted.keyFile, 0o644);
    expect(named(await examine(planted.home, { openStorage: async () => planted.storage }), 'keys')).toMatchObject([
      { status: 'warn', fix: `Run: chmod 600 ${planted.keyFile}` },
    ]);
    writeFileSync(planted.keyFile, 'short');
    const damaged = await examine(planted.home);
    expect(named(damaged, 'keys')).toMatchObject([{ status: 'fail', detail: expect.stringContaining('damaged') }]);
    rmSync(planted.keyFile);
    const gone = await examine(planted.home);
    expect(named(gone, 'keys')).toMatchObject([{ status: 'fail', fix: expect.stringContaining('--with-keys') }]);
    expect(existsSync(planted.keyFile)).toBe(false);
    expect(JSON.stringify([damaged, gone])).not.toContain(secret);
  });

  test('that cannot be opened although it looks well is told by its fault', async () => {
    const planted = await closedHome();
    const openStorage = () => Promise.reject(faults.STORE_UNAVAILABLE({ why: 'the disk is full' }));
    const checks = await examine(planted.home, { openStorage });
    expect(named(checks, 'audit')).toMatchObject([
      { status: 'fail', detail: expect.stringContaining('the disk is full') },
    ]);
  });
});
