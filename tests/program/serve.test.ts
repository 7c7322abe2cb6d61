import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/test-database.ts';
import { makeFolder, probeProgram, type Served } from '#tests/support/program.ts';

const { runProgram, serveProgram } = probeProgram;
const eras = { '2025': 'legacy', '2026': { pin: '2026-07-28' } } as const;

describe.each(['sqlite', 'postgres'])('fourfold serve on %s', (store) => {
  const { folder, remove } = makeFolder();
  let database: TestDatabase | undefined;
  let env: Readonly<Record<string, string>>;
  let served: Served;

  const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${served.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${served.key}`, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  beforeAll(async () => {
    database = store === 'postgres' ? await createTestDatabase() : undefined;
    env = {
      FOURFOLD_HOME: folder,
      FOURFOLD_LOG_LEVEL: 'error',
      ...(database === undefined ? {} : { FOURFOLD_DATABASE_URL: database.url }),
    };
    served = await serveProgram(env);
  });
  afterAll(async () => {
    await served?.stop();
    await database?.drop();
    remove();
  });

  it.each(['2025', '2026'] as const)('serves a real client of the %s era', async (era) => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: eras[era] } });
    const requestInit = { headers: { authorization: `Bearer ${served.key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`), { requestInit }));
    expect((await client.listTools()).tools.map((tool) => tool.name)).toContain('tools_find');
    await client.callTool({ name: 'probe_put', arguments: { id: `era-${era}`, text: 'kept' } });
    const { structuredContent } = await client.callTool({ name: 'probe_get', arguments: { id: `era-${era}` } });
    expect(structuredContent).toEqual({ id: `era-${era}`, text: 'kept' });
    await client.close();
  });

  it('is named by the link that another program prints, whatever its port is', async () => {
    const { stdout } = await runProgram(['link', '--json'], env);
    expect((JSON.parse(stdout) as { link: string }).link).toContain(`${served.url}/sign-in#ffl_`);
  });

  it('accepts plain JSON-RPC methods on /mcp and tools on /api/tools', async () => {
    const plain = await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'health/check' });
    expect(await plain.json()).toMatchObject({ id: 1, result: { status: 'ok' } });
    const api = await post('/api/tools/health_check', {});
    expect(api.status).toBe(200);
    expect(await api.json()).toMatchObject({ status: 'ok' });
    expect((await post('/api/tools/nothing', {})).status).toBe(404);
  });

  it('an idempotency key means the same over stdio, HTTP and on the command line, direct and forwarded', async () => {
    const call = (name: string, args: object, idempotencyKey: string) => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args, _meta: { idempotencyKey } },
    });
    const stdio = async (message: object): Promise<unknown> => {
      const { stdout } = await runProgram(['stdio'], env, `${JSON.stringify(message)}\n`);
      return JSON.parse(stdout).result.structuredContent;
    };
    const pad = { scratch_id: 'shared-key', metadata: { title: 'x' } };
    await stdio(call('scratch_create', pad, 'pad'));
    const cell = { scratch_id: 'shared-key', cell: { language: 'md', content: 'once' } };
    const key = 'same-1';
    const first = await stdio(call('scratch_append_cell', cell, key));
    expect(first).toMatchObject({ scratchpad: { scratch_id: 'shared-key' } });
    const api = await post('/api/tools/scratch_append_cell', cell, { 'idempotency-key': key });
    expect(await api.json()).toEqual(first);
    const wrapped = call('tools_call', { name: 'scratch_append_cell', arguments: cell }, key);
    expect(await stdio(wrapped)).toEqual(first);
    const forwarded = await post('/api/tools/tools_call', wrapped.params.arguments, { 'idempotency-key': key });
    expect(await forwarded.json()).toEqual(first);
    const command = ['scratch', 'append', 'cell', '--input', '-', '--idempotency-key', key, '--json'];
    expect(JSON.parse((await runProgram(command, env, JSON.stringify(cell))).stdout)).toEqual(first);
    const other = { ...cell, cell: { ...cell.cell, content: 'twice' } };
    const conflict = await post('/api/tools/scratch_append_cell', other, { 'idempotency-key': key });
    expect(conflict.status).toBe(409);
    const listed = await post('/api/tools/scratch_list_cells', { scratch_id: 'shared-key' });
    expect(await listed.json()).toMatchObject({ cells: [{ language: 'md' }] });
  });

  it('writes once per idempotency key, and rejects another body under it', async () => {
    const headers = { 'idempotency-key': 'k-1' };
    const first = await (await post('/api/tools/probe_put', { id: 'idem', text: 'one' }, headers)).json();
    const again = await (await post('/api/tools/probe_put', { id: 'idem', text: 'one' }, headers)).json();
    expect(again).toEqual(first);
    expect((await post('/api/tools/probe_put', { id: 'idem', text: 'two' }, headers)).status).toBe(409);
    const { rows } = (await (await post('/api/tools/audit_list', { topic: 'probe', id: 'idem' })).json()) as {
      rows: unknown[];
    };
    expect(rows).toHaveLength(1);
  });

  it('rejects a missing or forged key, a foreign Host or Origin', async () => {
    expect((await post('/mcp', {}, { authorization: '' })).status).toBe(401);
    const forged = `${served.key.slice(0, -1)}${served.key.endsWith('0') ? '1' : '0'}`;
    expect((await post('/mcp', {}, { authorization: `Bearer ${forged}` })).status).toBe(401);
    expect((await post('/mcp', {}, { origin: 'https://evil.example' })).status).toBe(403);
  });

  it('creates, lists and revokes keys by command while it runs; scopes and tenants apply', async () => {
    const made = JSON.parse(
      (await runProgram(['keys', 'create', '--name', 'r', '--tenant', 'acme', '--scopes', 'read', '--json'], env))
        .stdout,
    ) as { key: string; id: string };
    const headers = { authorization: `Bearer ${made.key}` };
    await post('/api/tools/probe_put', { id: 'mine', text: 'local' });
    const read = await post('/api/tools/probe_get', { id: 'mine' }, headers);
    expect(await read.json()).toEqual({ id: 'mine', text: null });
    expect((await post('/api/tools/probe_put', { id: 'x', text: 'y' }, headers)).status).toBe(403);
    const { keys } = JSON.parse((await runProgram(['keys', 'list', '--tenant', 'acme', '--json'], env)).stdout) as {
      keys: { createdAt: string }[];
    };
    expect(keys[0]?.createdAt).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect((await runProgram(['keys', 'revoke', made.id], env)).stderr).toContain('NOT_FOUND');
    const all = JSON.parse((await runProgram(['keys', 'list', '--all', '--json'], env)).stdout);
    const lastUsedAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(all.keys).toContainEqual(expect.objectContaining({ tenant: 'acme', id: made.id, lastUsedAt }));
    expect(all.keys).toContainEqual(expect.objectContaining({ tenant: 'local', name: 'first', lastUsedAt }));
    const revoked = await runProgram(['keys', 'revoke', made.id, '--all', '--json'], env);
    expect(JSON.parse(revoked.stdout)).toMatchObject({ tenant: 'acme', id: made.id, revokedAt: lastUsedAt });
    await expect
      .poll(async () => (await post('/api/tools/health_check', {}, headers)).status, { timeout: 120_000 })
      .toBe(401);
  });

  it("streams changes of the caller's tenant, also those of another process", async () => {
    const controller = new AbortController();
    const events = await fetch(`${served.url}/api/events`, {
      headers: { authorization: `Bearer ${served.key}` },
      signal: controller.signal,
    });
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
    const input = '{"jsonrpc":"2.0","id":1,"method":"probe/put","params":{"id":"from-elsewhere","text":"x"}}\n';
    let heard = '';
    const heardIt = (async () => {
      while (!heard.includes('from-elsewhere')) heard += (await reader?.read())?.value ?? '';
    })();
    await runProgram([], env, input);
    await heardIt;
    controller.abort();
    expect(heard).toContain('"topic":"probe"');
  });

  it('is healthy and ready, and its metrics count by canonical name', async () => {
    expect((await fetch(`${served.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${served.url}/readyz`)).status).toBe(200);
    const headers = { authorization: `Bearer ${served.key}` };
    expect(await (await fetch(`${served.url}/metrics`, { headers })).text()).toMatch(/method="probe\/put"/);
    expect(await (await fetch(`${served.url}/`)).text()).toContain('Fourfold');
  });

  it('has a valid audit trail', async () => {
    const verdict = JSON.parse((await runProgram(['audit', 'verify', '--json'], env)).stdout) as {
      ok: boolean;
      headSeq: number;
    };
    expect(verdict.ok).toBe(true);
    expect(verdict.headSeq).toBeGreaterThan(0);
  });

  it('passes its doctor', async () => {
    const run = await runProgram(['doctor', '--json'], env);
    const checks = JSON.parse(run.stdout) as { name: string; status: string }[];
    expect(checks.filter((check) => check.status === 'fail')).toEqual([]);
    expect(run.code).toBe(0);
  });
});

describe('fourfold doctor on a new PostgreSQL database', () => {
  it('reports what is missing and creates nothing: no table, no key file', async () => {
    const { folder, remove } = makeFolder();
    const database = await createTestDatabase();
    const env = { FOURFOLD_HOME: join(folder, 'home'), FOURFOLD_DATABASE_URL: database.url };
    const run = await runProgram(['doctor', '--json'], env);
    const failed = (JSON.parse(run.stdout) as { name: string; status: string; detail: string }[]).filter(
      (check) => check.status === 'fail',
    );
    expect(run.code).toBe(1);
    expect(failed.map((check) => check.detail).join()).toContain('fourfold migrate');
    expect(existsSync(join(folder, 'home', 'key'))).toBe(false);
    expect((await runProgram(['migrate', '--json'], env)).code).toBe(0);
    expect((await runProgram(['doctor', '--json'], env)).code).toBe(0);
    await database.drop();
    remove();
  });
});
