import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { homeFixture, tempFolder } from '../backup/backup.fixture.ts';
import { diskLimits, toDiskCheck } from './check-folder.ts';
import { named, runTestDoctor, troubles } from './doctor.fixture.ts';

describe('the disk check', () => {
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
  ] as const)('returns %s for %o', (status, facts) => {
    const check = toDiskCheck({ ...plenty, ...facts });
    expect(check.status).toBe(status);
    expect(check.fix === undefined).toBe(status === 'ok');
  });
});

describe('fourfold doctor', () => {
  test('finds no problem in a healthy data folder', async () => {
    const fixture = homeFixture();
    await fixture.put('a', 'first');
    await fixture.createFiles();
    const checks = await runTestDoctor(fixture.home, { openStorage: async () => fixture.storage });
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

  test('before the first start, reports no problem and creates nothing', async () => {
    const folder = tempFolder();
    const checks = await runTestDoctor(join(folder, 'not', 'yet'));
    expect(troubles(checks.filter(({ name }) => name !== 'disk'))).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
    expect(named(checks, 'data folder')[0]?.detail).toContain('created at the first start');
  });

  test('reports an old Node.js', async () => {
    for (const [nodeVersion, status] of [
      ['20.20.2', 'fail'],
      ['22.11.0', 'fail'],
      ['22.12.0', 'ok'],
      ['26.0.0', 'ok'],
    ] as const) {
      expect(named(await runTestDoctor(tempFolder(), { nodeVersion }), 'node')).toMatchObject([{ status }]);
    }
  });

  test('reports a folder that others can enter, a file in its place, and a folder that cannot be created', async () => {
    const home = tempFolder();
    chmodSync(home, 0o755);
    expect(named(await runTestDoctor(home), 'data folder')).toMatchObject([
      { status: 'warn', fix: `Run: chmod 700 ${home}` },
    ]);
    writeFileSync(join(home, 'file'), '');
    const inFile = await runTestDoctor(join(home, 'file'));
    expect(named(inFile, 'data folder')).toMatchObject([
      { status: 'fail', detail: expect.stringContaining('is a file') },
    ]);
    expect(named(await runTestDoctor('/proc/fourfold'), 'data folder')).toMatchObject([
      { status: 'fail', fix: expect.stringContaining('FOURFOLD_HOME') },
    ]);
  });

  test('reports the leftovers of a killed restore', async () => {
    const home = tempFolder();
    mkdirSync(join(home, '.restoring-1234'));
    expect(named(await runTestDoctor(home), 'data folder')).toMatchObject([
      { status: 'warn', fix: expect.stringContaining('If no restore is running') },
    ]);
  });

  test('reports a rescue copy of a deleted store', async () => {
    const home = tempFolder();
    writeFileSync(join(home, 'fourfold.db.rescue-20260102T030405Z'), 'x');
    const checks = await runTestDoctor(home);
    expect(named(checks, 'data folder')).toMatchObject([
      { status: 'warn', detail: expect.stringContaining('fourfold.db.rescue-20260102T030405Z') },
    ]);
    expect(named(checks, 'store')).toMatchObject([{ status: 'fail', detail: expect.stringContaining('is missing') }]);
  });

  test('reports invalid settings and variables without effect', async () => {
    const config = {
      warnings: ['unknown variable FOURFOLD_PROT; did you mean FOURFOLD_PORT?'],
      noEffect: ['DIST_WAIT_MS'],
    };
    expect(
      named(await runTestDoctor(tempFolder(), { config }), 'configuration').map(
        ({ status, detail }) => `${status} ${detail}`,
      ),
    ).toEqual([
      'warn unknown variable FOURFOLD_PROT; did you mean FOURFOLD_PORT?',
      'warn set, but without effect in this program: DIST_WAIT_MS',
    ]);
  });

  test('reports a port in use and an address of another machine', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const taken = await runTestDoctor(tempFolder(), { http: { host: '127.0.0.1', port } });
    expect(named(taken, 'port')).toMatchObject([
      { status: 'warn', detail: expect.stringContaining(`127.0.0.1:${port} is in use`) },
    ]);
    const foreign = await runTestDoctor(tempFolder(), { http: { host: '203.0.113.7', port: 0 } });
    expect(named(foreign, 'port')).toMatchObject([{ status: 'fail', fix: expect.stringContaining('--host') }]);
  });

  test('reports instructions in the working directory that are not served', async () => {
    const cwd = tempFolder();
    const dir = join(tempFolder(), 'instructions');
    const ask = async (isSet: boolean, at = dir) =>
      named(await runTestDoctor(tempFolder(), { instructions: { dir: at, isSet, cwd } }), 'instructions');
    expect(await ask(false)).toMatchObject([{ status: 'ok' }]);
    mkdirSync(join(cwd, 'instructions'));
    writeFileSync(join(cwd, 'instructions', 'a.json'), '{"id":"a","body":"Say why."}');
    writeFileSync(join(cwd, 'instructions', 'README.md'), '');
    expect(await ask(false)).toMatchObject([
      {
        status: 'warn',
        detail: expect.stringContaining('contains 1 files'),
        fix: 'Set INSTRUCTIONS_DIR=./instructions to serve them.',
      },
    ]);
    expect(await ask(true)).toMatchObject([{ status: 'ok' }]);
    expect(await ask(false, join(cwd, 'instructions'))).toMatchObject([{ status: 'ok' }]);
  });

  test('reports instruction files that cannot be served, of every tenant', async () => {
    const home = tempFolder();
    const put = (folder: string, name: string, text: string) => {
      mkdirSync(join(home, folder), { recursive: true });
      writeFileSync(join(home, folder, name), text);
    };
    put('instructions', 'good.json', '{"id":"good","body":"Say why."}');
    expect(named(await runTestDoctor(home), 'instructions')).toMatchObject([{ status: 'ok' }]);
    for (let i = 0; i < 6; i += 1) put('instructions', `bad-${i}.json`, '{');
    put('instructions-of/t-acme', 'empty.json', '{"id":"empty","body":""}');
    expect(named(await runTestDoctor(home), 'instructions')).toMatchObject([
      { status: 'ok' },
      { status: 'warn', detail: expect.stringMatching(/bad-0\.json: not valid JSON.*; and 1 more$/) },
      { status: 'warn', detail: expect.stringContaining('empty.json: its body is empty'), fix: expect.any(String) },
    ]);
  });
});
