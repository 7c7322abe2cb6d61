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
import { homeFixture } from '../backup/backup.fixture.ts';
import { type HomeFixture, openHomeFixture } from '../home.fixture.ts';
import { named, runTestDoctor, troubles } from './doctor.fixture.ts';
import type { DoctorCheck } from './doctor-check.ts';

describe('the SQLite checks', () => {
  const closedHome = async (): Promise<HomeFixture> => {
    const fixture = homeFixture();
    await fixture.put('a', 'x'.repeat(100_000));
    await fixture.storage.close();
    return fixture;
  };
  const storeOf = ({ home }: HomeFixture) => join(home, 'fourfold.db');

  test('report a store of a newer version without opening it', async () => {
    const fixture = await closedHome();
    const db = new Database(storeOf(fixture));
    db.pragma('user_version = 1000');
    db.close();
    const before = readFileSync(storeOf(fixture));
    const checks = await runTestDoctor(fixture.home);
    expect(named(checks, 'store')).toMatchObject([
      { status: 'fail', detail: expect.stringContaining('schema 1000'), fix: expect.stringContaining('newer version') },
    ]);
    expect(named(checks, 'durability')).toEqual([]);
    expect(readFileSync(storeOf(fixture))).toEqual(before);
  });

  test('do not migrate a store of an older version', async () => {
    const fixture = openHomeFixture({ migrations: migrations.slice(0, 1) });
    onTestFinished(() => fixture.remove());
    await fixture.storage.close();
    const checks = await runTestDoctor(fixture.home);
    expect(named(checks, 'store')).toMatchObject([
      { status: 'warn', detail: expect.stringContaining('the next start migrates it to') },
    ]);
    expect(named(checks, 'audit')).toEqual([]);
    const db = new Database(storeOf(fixture), { readonly: true });
    expect(db.pragma('user_version', { simple: true })).toBe(1);
    db.close();
  });

  test('report a file that is not a database, is truncated, or has a broken page', async () => {
    const scribbled = await closedHome();
    writeFileSync(storeOf(scribbled), 'scribble'.repeat(2_000));
    expect(named(await runTestDoctor(scribbled.home), 'store')).toMatchObject([
      { status: 'fail', detail: expect.stringContaining('not a database') },
    ]);

    const cut = await closedHome();
    truncateSync(storeOf(cut), 8_192);
    expect(troubles(await runTestDoctor(cut.home)).some((trouble) => /^(store|integrity) fail$/.test(trouble))).toBe(
      true,
    );

    const torn = await closedHome();
    const bytes = readFileSync(storeOf(torn));
    bytes.fill(0x5a, 4_096, bytes.length - 4_096);
    writeFileSync(storeOf(torn), bytes);
    const checks = await runTestDoctor(torn.home);
    const found = checks.filter(({ name, status }) => /^(store|integrity)$/.test(name) && status === 'fail');
    expect(found.length).toBeGreaterThan(0);
    expect(found[0]?.fix).toMatch(/restore/);
  });

  test('report a store file that other users can read', async () => {
    const fixture = await closedHome();
    chmodSync(storeOf(fixture), 0o644);
    expect(
      named(await runTestDoctor(fixture.home, { openStorage: async () => fixture.storage }), 'store'),
    ).toMatchObject([{ status: 'warn', fix: `Run: chmod 600 ${storeOf(fixture)}` }]);
  });

  test('report a folder that is not writable', async () => {
    const fixture = await closedHome();
    const isRoot = process.getuid?.() === 0;
    // Root can write everywhere, so another user runs the check.
    const nobody = { uid: 65_534, gid: 65_534 };
    if (isRoot)
      for (const path of [fixture.home, storeOf(fixture), fixture.keyFile]) chownSync(path, nobody.uid, nobody.gid);
    chmodSync(fixture.home, 0o500);
    onTestFinished(() => chmodSync(fixture.home, 0o700));
    const script = fileURLToPath(new URL('./doctor-process.fixture.ts', import.meta.url));
    const { stderr } = await promisify(execFile)(
      process.execPath,
      [...nodeFlags, script, fixture.home],
      isRoot ? nobody : {},
    );
    const checks = JSON.parse(stderr) as DoctorCheck[];
    expect(named(checks, 'data folder')).toMatchObject([
      { status: 'fail', detail: expect.stringContaining('is not writable (EACCES)') },
    ]);
    expect(checks.some(({ name, status }) => /^(store|durability)$/.test(name) && status === 'fail')).toBe(true);
    expect(named(checks, 'port')).toMatchObject([{ status: 'ok' }]);
  });

  test('report keys that are missing, damaged, or readable by others, and create none', async () => {
    const fixture = await closedHome();
    const secret = readFileSync(fixture.keyFile, 'utf8').trim();
    chmodSync(fixture.keyFile, 0o644);
    expect(
      named(await runTestDoctor(fixture.home, { openStorage: async () => fixture.storage }), 'keys'),
    ).toMatchObject([{ status: 'warn', fix: `Run: chmod 600 ${fixture.keyFile}` }]);
    writeFileSync(fixture.keyFile, 'short');
    const damaged = await runTestDoctor(fixture.home);
    expect(named(damaged, 'keys')).toMatchObject([{ status: 'fail', detail: expect.stringContaining('damaged') }]);
    rmSync(fixture.keyFile);
    const gone = await runTestDoctor(fixture.home);
    expect(named(gone, 'keys')).toMatchObject([{ status: 'fail', fix: expect.stringContaining('--with-keys') }]);
    expect(existsSync(fixture.keyFile)).toBe(false);
    expect(JSON.stringify([damaged, gone])).not.toContain(secret);
  });

  test('report the fault if a healthy-looking store cannot be opened', async () => {
    const fixture = await closedHome();
    const openStorage = () => Promise.reject(faults.STORE_UNAVAILABLE({ why: 'the disk is full' }));
    const checks = await runTestDoctor(fixture.home, { openStorage });
    expect(named(checks, 'audit')).toMatchObject([
      { status: 'fail', detail: expect.stringContaining('the disk is full') },
    ]);
  });
});
