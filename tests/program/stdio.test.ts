import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder, probeProgram } from '#tests/support/program.ts';

const { runProgram, startProgram } = probeProgram;
interface Message {
  readonly id: number | null;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

const parse = (text: string): readonly Message[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Message);

describe('the program on a pipe', () => {
  let env: Readonly<Record<string, string>>;
  let remove: () => void;

  beforeEach(() => {
    const made = makeFolder();
    ({ remove } = made);
    env = { FOURFOLD_HOME: made.folder, FOURFOLD_LOG_LEVEL: 'error' };
  });
  afterEach(() => remove());

  it('answers requests sent before stdin ended, exits, and writes nothing else to stdout', async () => {
    const lines = Array.from({ length: 50 }, (_, id) =>
      JSON.stringify({ jsonrpc: '2.0', id, method: 'probe/put', params: { id: `k${id}`, text: 'x' } }),
    );
    const run = await runProgram([], env, `${lines.join('\n')}\n`);
    expect(run.code).toBe(0);
    expect(parse(run.stdout)).toHaveLength(50);
    expect(parse(run.stdout).every((message) => message.result !== undefined)).toBe(true);
  });

  it('continues after every kind of bad line', async () => {
    const bad = [
      'not json',
      '[]',
      '{"jsonrpc":"1.0","id":1,"method":"x"}',
      '['.repeat(100_000),
      '{"jsonrpc":"2.0","id":2,"method":"no/such"}',
      '{"jsonrpc":"2.0","id":3,"method":"health/check","params":{"__proto__":{"a":1}}}',
      '{"jsonrpc":"2.0","id":4,"method":"probe/put","params":{"id":"a","id":"b","text":"\\ud800"}}',
      `{"jsonrpc":"2.0","id":5,"method":"probe/put","params":{"id":"a","text":"${'x'.repeat(20 * 1024 * 1024)}"}}`,
    ];
    const run = await runProgram([], env, `${bad.join('\n')}\n{"jsonrpc":"2.0","id":9,"method":"health/check"}\n`);
    const messages = parse(run.stdout);
    const codes = messages.filter((message) => message.error !== undefined).map((message) => message.error?.code);
    expect(codes.filter((code) => code === -32700).length).toBeGreaterThanOrEqual(1);
    expect(codes.filter((code) => code === -32600).length).toBeGreaterThanOrEqual(3);
    expect(codes).toContain(-32601);
    expect(codes).toContain(-32602);
    expect(messages.find((message) => message.id === 9)?.result).toMatchObject({ status: 'ok' });
    const [count] = parse((await runProgram([], env, '{"jsonrpc":"2.0","id":1,"method":"audit/list"}\n')).stdout);
    expect(count?.result?.['rows']).toEqual([]);
  });

  it("two processes on one folder see each other's writes", async () => {
    const ask = (id: string) => `{"jsonrpc":"2.0","id":1,"method":"probe/get","params":{"id":"${id}"}}\n`;
    const put = (id: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"probe/put","params":{"id":"${id}","text":"${id}"}}\n`;
    await Promise.all(['a', 'b', 'c', 'd'].map((id) => runProgram([], env, put(id))));
    for (const id of ['a', 'b', 'c', 'd']) {
      expect(parse((await runProgram([], env, ask(id))).stdout)[0]?.result).toEqual({ id, text: id });
    }
  });

  it('exits when its reader is gone, and keeps acknowledged writes', async () => {
    const child = startProgram([], env);
    const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"probe/put","params":{"id":"a","text":"b"}}\n');
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.stdout.destroy();
    child.stdin.on('error', () => {});
    for (let id = 2; id < 200; id += 1) child.stdin.write(`{"jsonrpc":"2.0","id":${id},"method":"health/check"}\n`);
    child.stdin.end();
    expect(await ended).toBe(0);
    const [read] = parse(
      (await runProgram([], env, '{"jsonrpc":"2.0","id":1,"method":"probe/get","params":{"id":"a"}}\n')).stdout,
    );
    expect(read?.result).toEqual({ id: 'a', text: 'b' });
  });

  it('exits on SIGTERM', async () => {
    const child = startProgram([], env);
    const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"health/check"}\n');
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('rejects an unknown flag and names the nearest one', async () => {
    const run = await runProgram(['--read-onli'], env);
    expect(run.code).toBe(2);
    expect(run.stdout).toBe('');
    expect(run.stderr).toContain('--read-only');
  });

  it('rejects and hides all writes in read-only mode', async () => {
    const input = [
      '{"jsonrpc":"2.0","id":1,"method":"probe/put","params":{"id":"a","text":"b"}}',
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"probe_put","arguments":{"id":"a","text":"b"}}}',
      '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"tools_call","arguments":{"name":"probe_put","arguments":{"id":"a","text":"b"}}}}',
      '{"jsonrpc":"2.0","id":4,"method":"tools/list"}',
    ];
    const run = await runProgram(['--read-only', '--toolsets', 'all'], env, `${input.join('\n')}\n`);
    const byId = new Map(parse(run.stdout).map((message) => [message.id, message]));
    expect(byId.get(1)?.error?.code).toBe(-32004);
    for (const id of [2, 3]) {
      expect(byId.get(id)?.result?.['isError']).toBe(true);
      expect(JSON.stringify(byId.get(id)?.result)).toContain('read-only');
    }
    const tools = byId.get(4)?.result?.['tools'] as { name: string; annotations: { readOnlyHint: boolean } }[];
    expect(tools.map((tool) => tool.name)).not.toContain('probe_put');
    expect(tools.every((tool) => tool.annotations.readOnlyHint)).toBe(true);
  });
});
