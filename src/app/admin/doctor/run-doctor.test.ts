import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { examine, named, plantHome, tempFolder, troubles } from './examine.fixture.ts';

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
      'notebooks',
      'truth',
    ]);
    expect(named(checks, 'audit')[0]?.detail).toBe('local: 1 of 1 rows verified');
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
