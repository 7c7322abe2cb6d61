import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flagMeanings } from '#config/names.ts';
import type { Admin } from '#surfaces/cli/admin.ts';
import { adminCommands } from '#surfaces/cli/admin-commands.ts';
import { sharedFlags } from '#surfaces/cli/field.ts';

const project = join(import.meta.dirname, '../..');

/** A tool that prints its name and arguments and exits with the given code. */
const fakeTool = (name: string, code = 0) =>
  `console.log(${JSON.stringify(name)}, ...process.argv.slice(2)); process.exitCode = ${code};`;
const tools = {
  tsc: 'node_modules/typescript/bin/tsc',
  biome: 'node_modules/@biomejs/biome/bin/biome',
  oxlint: 'node_modules/oxlint/bin/oxlint',
  knip: 'node_modules/knip/bin/knip.js',
  vitest: 'node_modules/vitest/vitest.mjs',
} as const;

/** Builds if dist is missing, as the real one does when the sources changed. */
const fakeBuild = `
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
export const isBuilt = (root) => existsSync(root + '/dist/main.js');
if (process.argv[1].endsWith('build.mjs')) {
  mkdirSync('dist', { recursive: true });
  writeFileSync('dist/main.js', 'console.log("program", ...process.argv.slice(2))');
}
`;

let root: string;
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fourfold-run-'));
  cpSync(join(project, 'bin'), join(root, 'bin'), { recursive: true });
  cpSync(join(project, 'scripts/run.mjs'), join(root, 'scripts/run.mjs'));
  write('package.json', '{"type":"module"}');
  write('scripts/build.mjs', fakeBuild);
  for (const [name, path] of Object.entries(tools)) write(path, fakeTool(name));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const run = (...args: readonly string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const env = { PATH: process.env['PATH'], HOME: root, XDG_CACHE_HOME: join(root, 'cache') };
    const child = execFile(
      process.execPath,
      [join(root, 'scripts/run.mjs'), ...args],
      { env },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });

describe('npm test', () => {
  it('times every step, shows the tests last and then the total', async () => {
    const { code, stdout } = await run('test', 'some/filter');
    const lines = stdout.trimEnd().split('\n');
    expect(code).toBe(0);
    expect(
      lines
        .slice(0, 6)
        .map((line) => line.replace(/ +[\d.]+ s$/, ''))
        .sort(),
    ).toEqual(['build', 'format', 'lint', 'pages', 'types', 'unused'].map((step) => `ok     ${step}`));
    expect(lines[6]).toBe('vitest run some/filter');
    expect(lines[7]).toMatch(/^Everything passed in \d+\.\d minutes\.$/);
  });

  it('shows the output of a failed step, runs the rest, and fails', async () => {
    write(tools.oxlint, fakeTool('bad code here', 1));
    write(tools.vitest, fakeTool('vitest', 1));
    const { code, stdout } = await run('test');
    expect(code).toBe(1);
    expect(stdout).toMatch(/FAILED lint +[\d.]+ s\n {4}bad code here --deny-warnings/);
    expect(stdout).toMatch(/\nvitest run\nFailed: lint, tests\. \d+\.\d minutes\.\n$/);
  });

  /** Reports `failed` on the first run and exits with `codes` in turn. */
  const failingVitest = (failed: readonly string[], codes: readonly number[]) => `
    import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
    console.log('vitest', ...process.argv.slice(2));
    appendFileSync('runs', '.');
    process.exitCode = ${JSON.stringify(codes)}[readFileSync('runs').length - 1];
    const path = process.env['FOURFOLD_TEST_FAILED_FILES'];
    if (path !== undefined) writeFileSync(path, ${JSON.stringify(failed.join('\n'))});
  `;

  it('runs a failed file again and names it if it passes then', async () => {
    write(tools.vitest, failingVitest(['a.test.ts'], [1, 0]));
    const { code, stdout } = await run('test');
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nvitest run\nRunning again: a\.test\.ts\nvitest run a\.test\.ts\nUNRELIABLE: a\.test\.ts/);
    expect(stdout).toMatch(/Everything passed in/);
  });

  it('fails if a file fails twice', async () => {
    write(tools.vitest, failingVitest(['a.test.ts'], [1, 1]));
    const { code, stdout } = await run('test');
    expect(code).toBe(1);
    expect(stdout).toMatch(/vitest run a\.test\.ts\nFailed: tests\./);
  });

  it.each([
    ['many files failed', ['a.test.ts', 'b.test.ts', 'c.test.ts']],
    ['something failed outside the files', []],
  ])('fails without a second run if %s', async (_why, failed) => {
    write(tools.vitest, failingVitest(failed, [1, 0]));
    const { code, stdout } = await run('test');
    expect(code).toBe(1);
    expect(stdout).not.toContain('Running again');
  });

  it('runs no tests if the build fails', async () => {
    write('scripts/build.mjs', 'throw new Error("broken")');
    const { code, stdout } = await run('test');
    expect(code).toBe(1);
    expect(stdout).not.toContain('vitest');
    expect(stdout).toMatch(/Failed: build\./);
  });
});

describe('npm start', () => {
  it('builds if needed, then serves with the given arguments', async () => {
    expect(await run('start', '--port', '1')).toMatchObject({
      code: 0,
      stdout: 'program serve --port 1\n',
      stderr: 'Building…\n',
    });
    expect(await run('start')).toMatchObject({ code: 0, stdout: 'program serve\n', stderr: '' });
  });

  it('reports why the build failed', async () => {
    write(
      'scripts/build.mjs',
      `export const isBuilt = () => false; if (process.argv[1].endsWith('build.mjs')) throw new Error('broken');`,
    );
    const { code, stdout, stderr } = await run('start');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('Error: broken');
  });
});

it('generates from the sources', async () => {
  write('src/main.ts', 'const words: string[] = process.argv.slice(2); console.log(...words);');
  expect(await run('generate', '--check')).toMatchObject({ code: 0, stdout: 'generate --check\n' });
});

it('checks without building, and runs the contracts alone', async () => {
  expect((await run('check')).stdout).not.toContain('build');
  expect((await run('test:contracts')).stdout).toBe('vitest run tests/contract\n');
  expect((await run('test:matrix')).stdout).toBe('vitest run tests/feathers\n');
});

it('lists its tasks', async () => {
  expect(await run('toString')).toMatchObject({ code: 2, stderr: expect.stringContaining('start | test | build') });
});

it('asks for npm install where nothing is installed', async () => {
  rmSync(join(root, 'node_modules'), { recursive: true });
  expect(await run('test')).toMatchObject({ code: 1, stderr: 'Run npm install first.\n' });
});

const clashes = (flags: readonly string[]): readonly string[] => flags.filter((flag) => flagMeanings.has(flag));

it('gives no command flag the name of a setting', () => {
  const flags = adminCommands.flatMap((make) => make({} as Admin).fields.map((field) => field.flag));
  expect(flags.length).toBeGreaterThan(5);
  expect(clashes([...flags, ...sharedFlags])).toEqual([]);
  expect(clashes(['to', 'port'])).toEqual(['port']);
});
