import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { localTenant } from '#kernel/call.ts';
import { createManualClock, systemClock } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { silentLog } from '#kernel/log/log.ts';
import { openPostgres } from '#kernel/storage/postgres/open-postgres.ts';
import { migrations } from '#migrations/all.ts';
import { createPostgresPlace } from '#tests/contract/storage/postgres-engine.ts';
import { contractMigrations } from '#tests/contract/storage/tables.ts';
import { nodeFlags } from '#tests/support/postgres/node-flags.ts';
import { createTestDatabase } from '#tests/support/postgres/test-database.ts';
import { asAdmin } from '#tests/support/postgres/test-login.ts';
import { toOperatorCall } from '../operator-call.ts';
import { openPlantedHome, type PlantedHome } from '../planted-home.ts';
import { checkPostgres } from './check-postgres.ts';
import type { DoctorCheck } from './doctor-check.ts';
import { diskLimits, judgeDisk } from './judge-disk.ts';
import { type DoctorDeps, runDoctor } from './run-doctor.ts';

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ff-doctor-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function plantHome(): PlantedHome {
  const planted = openPlantedHome();
  onTestFinished(async () => {
    await planted.storage.close();
    planted.remove();
  });
  return planted;
}

const examine = (home: string, more: Partial<DoctorDeps> = {}): Promise<readonly DoctorCheck[]> =>
  runDoctor({
    nodeVersion: '24.1.0',
    platform: 'linux',
    home,
    tempDir: '/somewhere/else',
    keyFile: join(home, 'key'),
    dialect: 'sqlite',
    openStorage: () => Promise.reject(new Error('must not be opened')),
    migrations,
    clock: createManualClock(),
    config: { warnings: [], noEffect: [] },
    http: { host: '127.0.0.1', port: 0 },
    instructions: { dir: join(home, 'instructions'), isSet: true, cwd: home },
    ...more,
  });

const named = (checks: readonly DoctorCheck[], name: string): readonly DoctorCheck[] =>
  checks.filter((check) => check.name === name);
const troubles = (checks: readonly DoctorCheck[]): readonly string[] =>
  checks.filter(({ status }) => status !== 'ok').map(({ name, status }) => `${name} ${status}`);

describe('fourfold doctor', () => {
  test('finds nothing wrong with a data folder as the program leaves it', async () => {
    const planted = plantHome();
    await planted.put('a', 'first');
    await planted.plantFiles();
    const checks = await examine(planted.home, { openStorage: async () => planted.storage });
    expect(troubles(checks.filter(({ name }) => name !== 'disk'))).toEqual([]);
    expect(checks.map(({ name }) => name)).toEqual([
      'node',
      'data folder',
      'disk',
      'configuration',
      'store',
      'integrity',
      'durability',
      'keys',
      'audit',
      'port',
      'instructions',
    ]);
    expect(named(checks, 'audit')[0]?.detail).toBe('1 rows of local hold');
    expect(named(checks, 'durability')[0]?.detail).toMatch(/^SQLite 3\.\d+\.\d+, journal wal, synchronous full$/);
  });

  test('before the first start nothing is there, nothing is wrong, and nothing is made', async () => {
    const folder = tempFolder();
    const checks = await examine(join(folder, 'not', 'yet'));
    expect(troubles(checks.filter(({ name }) => name !== 'disk'))).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
    expect(named(checks, 'data folder')[0]?.detail).toContain('made at the first start');
  });

  test('an old Node.js', async () => {
    for (const [nodeVersion, status] of [
      ['20.20.2', 'fail'],
      ['22.11.0', 'fail'],
      ['22.12.0', 'ok'],
      ['26.0.0', 'ok'],
    ] as const) {
      expect(named(await examine(tempFolder(), { nodeVersion }), 'node')).toMatchObject([{ status }]);
    }
  });

  test('a folder that others may enter, one that is a file, and one that cannot be made', async () => {
    const home = tempFolder();
    chmodSync(home, 0o755);
    expect(named(await examine(home), 'data folder')).toMatchObject([
      { status: 'warn', fix: `Run: chmod 700 ${home}` },
    ]);
    writeFileSync(join(home, 'file'), '');
    const inFile = await examine(join(home, 'file'));
    expect(named(inFile, 'data folder')).toMatchObject([
      { status: 'fail', detail: expect.stringContaining('is a file') },
    ]);
    expect(named(await examine('/proc/fourfold'), 'data folder')).toMatchObject([
      { status: 'fail', fix: expect.stringContaining('FOURFOLD_HOME') },
    ]);
  });

  test('what a killed restore left behind', async () => {
    const home = tempFolder();
    mkdirSync(join(home, '.restoring-1234'));
    expect(named(await examine(home), 'data folder')).toMatchObject([
      { status: 'warn', fix: expect.stringContaining('Run the restore again') },
    ]);
  });

  test('settings that were not understood and variables without effect', async () => {
    const config = {
      warnings: ['unknown variable FOURFOLD_PROT; did you mean FOURFOLD_PORT?'],
      noEffect: ['DIST_WAIT_MS'],
    };
    expect(
      named(await examine(tempFolder(), { config }), 'configuration').map(
        ({ status, detail }) => `${status} ${detail}`,
      ),
    ).toEqual([
      'warn unknown variable FOURFOLD_PROT; did you mean FOURFOLD_PORT?',
      'warn set, and without effect in this program: DIST_WAIT_MS',
    ]);
  });

  test('a port that is taken, and an address that is not of this machine', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const taken = await examine(tempFolder(), { http: { host: '127.0.0.1', port } });
    expect(named(taken, 'port')).toMatchObject([
      { status: 'warn', detail: expect.stringContaining(`127.0.0.1:${port} is taken`) },
    ]);
    const foreign = await examine(tempFolder(), { http: { host: '203.0.113.7', port: 0 } });
    expect(named(foreign, 'port')).toMatchObject([{ status: 'fail', fix: expect.stringContaining('--host') }]);
  });

  test('instructions in the working directory that nobody serves', async () => {
    const cwd = tempFolder();
    const dir = join(tempFolder(), 'instructions');
    const ask = async (isSet: boolean, at = dir) =>
      named(await examine(tempFolder(), { instructions: { dir: at, isSet, cwd } }), 'instructions');
    expect(await ask(false)).toMatchObject([{ status: 'ok' }]);
    mkdirSync(join(cwd, 'instructions'));
    writeFileSync(join(cwd, 'instructions', 'a.json'), '{}');
    writeFileSync(join(cwd, 'instructions', 'README.md'), '');
    expect(await ask(false)).toMatchObject([
      {
        status: 'warn',
        detail: expect.stringContaining('holds 1 files'),
        fix: 'Set INSTRUCTIONS_DIR=./instructions to serve them.',
      },
    ]);
    expect(await ask(true)).toMatchObject([{ status: 'ok' }]);
    expect(await ask(false, join(cwd, 'instructions'))).toMatchObject([{ status: 'ok' }]);
  });

  test('parts that may be missing are told, never a trouble, even when asking for them throws', async () => {
    const optionalParts = [
      { name: 'embedding model', without: 'search goes by words only', isThere: () => false },
      { name: 'ocr', without: 'no text from images', isThere: async () => true },
      {
        name: 'worse',
        without: '',
        isThere: () => Promise.reject(new Error('cannot open postgres://me:swordfish@db/x')),
      },
    ];
    const checks = await examine(tempFolder(), { optionalParts });
    expect(named(checks, 'embedding model')).toEqual([
      { name: 'embedding model', status: 'ok', detail: 'not there: search goes by words only' },
    ]);
    expect(named(checks, 'ocr')).toMatchObject([{ status: 'ok', detail: 'there' }]);
    expect(named(checks, 'worse')).toMatchObject([{ status: 'fail', detail: 'cannot open postgres://***@db/x' }]);
  });
});

describe('a disk', () => {
  const plenty = { type: 0xef53, freeBytes: 1e12, isInTemp: false };
  test.each([
    ['ok', {}],
    ['ok', { type: undefined }],
    ['fail', { type: 0x6969 }],
    ['fail', { type: 0xff534d42 }],
    ['fail', { type: 0xff534d42 | 0 }],
    ['warn', { type: 0x01021994 }],
    ['warn', { type: 0x794c7630 }],
    ['warn', { isInTemp: true }],
    ['warn', { freeBytes: diskLimits.freeWarnBytes - 1 }],
    ['ok', { freeBytes: diskLimits.freeWarnBytes }],
    ['fail', { freeBytes: diskLimits.freeFailBytes - 1 }],
    ['fail', { freeBytes: 0, type: 0x01021994 }],
  ] as const)('is %s with %o', (status, facts) => {
    const check = judgeDisk({ ...plenty, ...facts });
    expect(check.status).toBe(status);
    expect(check.fix === undefined).toBe(status === 'ok');
  });
});

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
    const script = fileURLToPath(new URL('./planted-doctor.ts', import.meta.url));
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

describe('an audit trail', () => {
  const tampered = async (statement: string, limits?: DoctorDeps['auditLimits']): Promise<readonly DoctorCheck[]> => {
    const planted = plantHome();
    for (let i = 0; i < 12; i += 1) await planted.put(`n${i}`, 'x');
    await planted.audit.checkpoint(planted.callFor());
    const db = new Database(join(planted.home, 'fourfold.db'));
    db.exec(statement);
    db.close();
    const more = limits === undefined ? {} : { auditLimits: limits };
    return named(await examine(planted.home, { openStorage: async () => planted.storage, ...more }), 'audit');
  };
  const tail = { wholeRowsCount: 5, tailRowsCount: 500 };

  test.each([
    ['an edited row', "update changes set actor = 'eve' where seq = 9"],
    ['an edited first row', "update changes set actor = 'eve' where seq = 1"],
    ['a dropped row', 'delete from changes where seq = 9'],
    ['a dropped first row', 'delete from changes where seq = 1'],
    [
      'rows cut off at the end',
      'delete from changes where seq > 9; update audit_heads set seq = 9, mac = (select mac from changes where seq = 9)',
    ],
    ['everything gone', 'delete from changes; delete from audit_heads'],
  ])('shows %s, looked through whole or from its end', async (_what, statement) => {
    expect(await tampered(statement)).toMatchObject([{ status: 'fail', fix: expect.stringContaining('backup') }]);
    expect(await tampered(statement, tail)).toMatchObject([
      { status: 'fail', detail: expect.stringMatching(/row|cut off/) },
    ]);
  });

  test('holds when nobody touched it; a long one is looked at from its end', async () => {
    expect(await tampered('select 1')).toMatchObject([{ status: 'ok', detail: '12 rows of local hold' }]);
    expect(await tampered('select 1', tail)).toMatchObject([
      { status: 'ok', detail: 'the last 12 of 12 rows of local hold' },
    ]);
  });
});

test('a long audit trail is verified over several pages, as far back as told', async () => {
  const planted = plantHome();
  await Promise.all(Array.from({ length: 1_300 }, (_, i) => planted.put(`n${i}`, 'x')));
  const more = { openStorage: async () => planted.storage, auditLimits: { wholeRowsCount: 5, tailRowsCount: 600 } };
  expect(named(await examine(planted.home, more), 'audit')[0]?.detail).toBe('the last 1000 of 1300 rows of local hold');
  const db = new Database(join(planted.home, 'fourfold.db'));
  db.exec("update changes set hash = 'other' where seq = 400");
  db.close();
  expect(named(await examine(planted.home, more), 'audit')[0]?.status).toBe('fail');
  expect(
    named(await examine(planted.home, { ...more, auditLimits: { wholeRowsCount: 5, tailRowsCount: 100 } }), 'audit')[0]
      ?.status,
  ).toBe('ok');
  expect(named(await examine(planted.home, { ...more, isThorough: true }), 'audit')[0]?.detail).toContain(
    'edited at row 400',
  );
});

describe('a PostgreSQL server', () => {
  const open = async () => {
    const place = await createPostgresPlace();
    const storage = await place.open();
    onTestFinished(async () => {
      await storage.close();
      await place.remove();
    });
    const call = toOperatorCall({ tenant: localTenant, tool: 'doctor', clock: systemClock });
    const look = (of = contractMigrations) => checkPostgres({ storage, call, migrations: of });
    return { place, storage, look };
  };

  test('is told by its version, its durability, the role and the policies', async () => {
    const { look, storage } = await open();
    const checks = await look();
    expect(checks.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'store ok',
      'durability ok',
      'role ok',
      'policies ok',
      'pgvector ok',
    ]);
    const home = tempFolder();
    const all = await examine(home, {
      dialect: 'postgres',
      openStorage: async () => storage,
      migrations: contractMigrations,
      clock: systemClock,
    });
    expect(named(all, 'keys')).toMatchObject([{ status: 'warn', fix: expect.stringContaining('share') }]);
    expect(named(all, 'store')).toMatchObject([{ status: 'ok', detail: expect.stringMatching(/^PostgreSQL \d/) }]);
    expect(existsSync(join(home, 'key'))).toBe(false);
  });

  test('whose role is no longer bound by the policies', async () => {
    const { url, adminUrl, drop } = await createTestDatabase();
    const role = `ff_doctor_${randomBytes(4).toString('hex')}`;
    const storage = await openPostgres({
      url,
      role,
      migrations,
      clock: systemClock,
      log: silentLog,
      auditKey: Buffer.alloc(32),
    });
    const call = toOperatorCall({ tenant: localTenant, tool: 'doctor', clock: systemClock });
    try {
      await asAdmin(adminUrl, (client) => client.query(`alter role ${role} bypassrls`));
      expect(named(await checkPostgres({ storage, call, migrations }), 'role')).toMatchObject([
        { status: 'fail', fix: `Run as an administrator: alter role "${role}" nosuperuser nobypassrls;` },
      ]);
    } finally {
      await storage.close();
      await asAdmin(adminUrl, (client) => client.query(`drop owned by ${role}; drop role ${role}`));
      await drop();
    }
  });

  test('on which a table lost its guard', async () => {
    const { place, look } = await open();
    await place.tamper('alter table items no force row level security');
    expect(named(await look(), 'policies')).toMatchObject([
      { status: 'fail', detail: 'row-level security does not guard items' },
    ]);
    await place.tamper('alter table items force row level security; alter table counters disable row level security');
    expect(named(await look(), 'policies')).toMatchObject([
      { status: 'fail', detail: 'row-level security does not guard counters' },
    ]);
  });

  test('that cannot be reached is told without its password', async () => {
    const openStorage = () => Promise.reject(new Error('connect ECONNREFUSED postgres://me:swordfish@127.0.0.1:1/x'));
    const checks = await examine(tempFolder(), { dialect: 'postgres', openStorage });
    expect(named(checks, 'store')).toMatchObject([{ status: 'fail' }]);
    expect(JSON.stringify(checks)).not.toContain('swordfish');
  });
});
