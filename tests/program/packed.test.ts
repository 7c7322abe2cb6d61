import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeBarePath, npm } from '#tests/support/npm.ts';
import { makeFolder } from '#tests/support/program.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const carrier = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const majors = ['22', '24', '26'];
const [ownMajor] = process.versions.node.split('.');
const { folder, remove } = makeFolder();

afterAll(() => remove());

describe('the packed program', () => {
  const elsewhere = join(folder, 'elsewhere');
  const installed = join(elsewhere, 'node_modules', 'fourfold');

  beforeAll(async () => {
    mkdirSync(elsewhere);
    const [{ filename }] = JSON.parse(await npm(['pack', '--json', '--pack-destination', folder], root)) as [
      { filename: string },
    ];
    writeFileSync(join(elsewhere, 'package.json'), '{"private":true}');
    // The Node of the tests is there already.
    const others = majors.filter((major) => major !== ownMajor);
    const nodes = others.map((major) => `node${major}@npm:${carrier}@${major}`);
    await npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', join(folder, filename), ...nodes], elsewhere);
  }, 300_000);

  const nodeOf = (major: string): string =>
    major === ownMajor ? process.execPath : join(elsewhere, 'node_modules', `node${major}`, 'bin', 'node');
  const run = (major: string, args: readonly string[], input: string): string =>
    execFileSync(nodeOf(major), args, {
      cwd: folder,
      input,
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        FOURFOLD_HOME: join(folder, `home-${major}`),
      },
      encoding: 'utf8',
    });

  it('contains neither sources nor tests nor the tools of tests', () => {
    expect(existsSync(join(installed, 'dist', 'main.js'))).toBe(true);
    expect(existsSync(join(installed, 'src'))).toBe(false);
    expect(existsSync(join(installed, 'tests'))).toBe(false);
    const chunks = readdirSync(join(installed, 'dist')).filter((name) => name.endsWith('.js'));
    const hasProbe = (name: string) => readFileSync(join(installed, 'dist', name), 'utf8').includes('probe/noop');
    expect(chunks.filter(hasProbe)).toEqual([]);
  });

  it.each(majors)('answers, writes and verifies on Node %s', (major) => {
    const callTool = (name: string, args: unknown): string =>
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })}\n`;
    const entry = join(installed, 'bin', 'fourfold.js');
    const cells = [{ language: 'md', content: 'b' }];
    expect(JSON.parse(run(major, [entry], callTool('scratch_create', { scratch_id: 'a', cells })))).toMatchObject({
      result: { structuredContent: { ok: true } },
    });
    // Documented client configurations start this file.
    const server = join(installed, 'dist', 'server', 'index.js');
    expect(JSON.parse(run(major, [server], callTool('scratch_read', { scratch_id: 'a' })))).toMatchObject({
      result: { structuredContent: { scratchpad: { cells } } },
    });
    expect(JSON.parse(run(major, [entry, 'audit', 'verify', '--json'], ''))).toMatchObject({ ok: true, headSeq: 1 });
  });
});

describe('a bare machine', () => {
  it('installs what the lock file says with node, npm and a shell alone', { timeout: 300_000 }, async () => {
    const checkout = join(folder, 'checkout');
    mkdirSync(checkout);
    for (const name of ['package.json', 'package-lock.json', '.npmrc', 'runtime']) {
      cpSync(join(root, name), join(checkout, name), { recursive: true });
    }
    await npm(['ci'], checkout, { PATH: makeBarePath(folder) });
    const { version } = JSON.parse(
      readFileSync(join(checkout, 'node_modules', 'better-sqlite3', 'package.json'), 'utf8'),
    ) as { version: string };
    expect(version).toMatch(/^13\./);
  });
});
