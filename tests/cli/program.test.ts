import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const project = join(import.meta.dirname, '../..');
const launcher = join(project, 'bin/fourfold.js');
const home = mkdtempSync(join(tmpdir(), 'fourfold-program-'));

interface BuildModule {
  build(root: string): Promise<unknown>;
  isBuilt(root: string): boolean;
}

beforeAll(async () => {
  const { build, isBuilt }: BuildModule = await import(pathToFileURL(join(project, 'scripts/build.mjs')).href);
  if (!isBuilt(project)) await build(project);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function start(args: readonly string[], env: NodeJS.ProcessEnv = {}, entry = launcher) {
  const { PATH } = process.env;
  return spawn(process.execPath, [entry, ...args], {
    env: { PATH, HOME: home, XDG_CACHE_HOME: join(home, 'cache'), FOURFOLD_HOME: join(home, 'data'), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

async function run(args: readonly string[], { env = {}, stdin = '', entry = launcher } = {}) {
  const child = start(args, env, entry);
  child.stdin.end(stdin);
  const ended = once(child, 'exit');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await ended;
  return { code, stdout, stderr };
}

describe('the built program', () => {
  it('runs a tool as a command', async () => {
    const { code, stdout, stderr } = await run(['health', 'check', '--json']);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'ok' });
    expect((await run(['health/check'])).stdout).toMatch(/^status +ok\n/);
  });

  it('reads the arguments of a tool from stdin', async () => {
    const { stdout } = await run(['tools', 'find', '--input', '-', '--json'], {
      stdin: '{"query":"health","limit":1}',
    });
    expect(JSON.parse(stdout).tools).toHaveLength(1);
  });

  it.each([
    [['helth', 'chek'], 'did you mean fourfold health check?'],
    [['--prot', '1'], 'did you mean --port?'],
    [['health', 'check', '--jsn'], 'did you mean --json?'],
    [['serve', '--port', 'high'], 'is not an integer'],
  ])('rejects %j with exit code 2 and an empty stdout', async (args, why) => {
    const { code, stdout, stderr } = await run(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(why);
  });

  it('shows settings with their origin', async () => {
    const file = join(home, 'settings.json');
    writeFileSync(file, '{"toolNames":"canonical"}');
    const { stdout } = await run(['config', '--json', '--config', file, '--no-auth'], {
      env: { MCP_ENABLE_MUTATION: 'yes' },
    });
    const lines: readonly { setting: string }[] = JSON.parse(stdout);
    expect(lines.filter(({ setting }) => ['toolNames', 'auth', 'mutation', 'port'].includes(setting))).toEqual([
      { setting: 'mutation', value: 'true', origin: 'env MCP_ENABLE_MUTATION' },
      { setting: 'toolNames', value: 'canonical', origin: `file ${file}` },
      { setting: 'port', value: '8787', origin: 'default' },
      { setting: 'auth', value: 'false', origin: 'flag --no-auth' },
    ]);
  });

  it('shows help even with an invalid setting', async () => {
    const { code, stdout, stderr } = await run(['--help'], { env: { FOURFOLD_PORT: 'high' } });
    expect(code).toBe(0);
    expect(stdout).toContain('fourfold [settings] [command] [flags]');
    expect(stderr).toContain('FOURFOLD_PORT: "high" is not an integer');
  });

  it('exits quietly when the reader of its output is gone', async () => {
    const child = start(['--help']);
    child.stdout.destroy();
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect([code, stderr]).toEqual([0, '']);
  });

  it.each([launcher, join(project, 'dist/server/index.js')])(
    'speaks the protocol on a pipe, started by %s',
    async (entry) => {
      const { code, stdout } = await run([], { entry, stdin: '{"jsonrpc":"2.0","id":1,"method":"health/check"}\n' });
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ jsonrpc: '2.0', id: 1, result: { status: 'ok' } });
    },
  );
});
