import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCards } from '#tests/support/bad-arguments.ts';
import { makeFolder, probeFile } from '#tests/support/program.ts';

interface Answer {
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
  readonly content: readonly { readonly text?: string }[];
}

const { folder, remove } = makeFolder();
const client = new Client({ name: 'test', version: '1' });

async function call(name: string, args: Record<string, unknown> = {}): Promise<Answer> {
  return (await client.callTool({ name, arguments: args })) as Answer;
}
const value = async <T>(name: string, args: Record<string, unknown> = {}): Promise<T> =>
  (await call(name, args)).structuredContent as T;

beforeAll(async () => {
  const env = { ...process.env, FOURFOLD_HOME: folder, FOURFOLD_LOG_LEVEL: 'error' } as Record<string, string>;
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [probeFile], env }));
});
afterAll(async () => {
  await client.close();
  remove();
});

describe('the system tools, through a real client', () => {
  it('health/check answers status, time and version', async () => {
    const health = await value<{ status: string; timestamp: string; version: string }>('health_check');
    expect(health.status).toBe('ok');
    expect(new Date(health.timestamp).toISOString()).toBe(health.timestamp);
    expect(health.version).toMatch(/^\d+\.\d+\.\d+/);
  });

  it('every spelling of a name calls the same tool', async () => {
    for (const name of ['health/check', 'health_check', 'metrics/snapshot', 'metrics_snapshot', 'feature/status']) {
      expect((await call(name)).isError, name).not.toBe(true);
    }
  });

  it('meta/tools answers the documented shape', async () => {
    const meta = await value<{
      tools: { method: string; stable: boolean; mutation: boolean; disabled?: boolean }[];
      stable: { tools: unknown[] };
      dynamic: { generatedAt: string; mutationEnabled: boolean; disabled: unknown[] };
      mcp: { registryVersion: string; tools: { name: string; inputSchema: { type: string } }[] };
    }>('meta/tools');
    const put = meta.tools.find((tool) => tool.method === 'probe/put');
    expect(put).toEqual({ method: 'probe/put', stable: false, mutation: true });
    expect(meta.stable.tools).toContainEqual({ method: 'health/check', stable: true, mutation: false });
    expect(meta.dynamic).toMatchObject({ generatedAt: expect.any(String), mutationEnabled: false });
    expect(meta.dynamic.disabled).toContainEqual({ method: 'instructions/add' });
    expect(meta.dynamic.disabled).not.toContainEqual({ method: 'probe/put' });
    expect(meta.tools.find((tool) => tool.method === 'instructions/add')?.disabled).toBe(true);
    expect(meta.mcp.registryVersion >= '2025-08-25').toBe(true);
    expect(meta.mcp.tools.every((tool) => tool.inputSchema.type === 'object')).toBe(true);
  });

  it('feature/status and metrics/snapshot show the features and count by canonical name', async () => {
    expect(await value('feature_status')).toEqual({
      features: ['usage'],
      counters: { 'featureActivated:usage': 1 },
      env: [],
    });
    await call('health_check');
    const { methods, features } = await value<{ methods: { method: string; count: number }[]; features: object }>(
      'metrics_snapshot',
    );
    expect(methods.find((one) => one.method === 'health/check')?.count).toBeGreaterThan(0);
    expect(methods.some((one) => one.method === 'health_check')).toBe(false);
    expect(features).toMatchObject({ features: ['usage'] });
  });

  it("tools_find finds an unlisted tool, and tools_call returns that tool's own answers and errors", async () => {
    const { tools } = await value<{ tools: { name: string; inputSchema: object }[] }>('tools_find', {
      query: 'verify the audit trail',
    });
    expect(tools[0]).toMatchObject({ name: 'audit_verify', inputSchema: { type: 'object' } });
    expect(await value('tools_call', { name: 'audit_verify' })).toMatchObject({ ok: true, issues: [] });
    const wrong = await call('tools_call', { name: 'audit_list', arguments: { limit: 0 } });
    expect(wrong.isError).toBe(true);
    expect(JSON.parse(wrong.content[0]?.text ?? '')).toMatchObject({
      error: { code: -32602, data: { method: 'audit/list', errors: [{ instancePath: '/limit', keyword: 'minimum' }] } },
    });
    expect((await call('tools_call', { name: 'tools_call' })).isError).toBe(true);
    expect((await call('tools_call', { name: 'no_such_tool' })).isError).toBe(true);
    const commandLineOnly = await call('tools_call', { name: 'notebooks_export', arguments: { to: folder } });
    expect(commandLineOnly.isError).toBe(true);
    expect(commandLineOnly.content[0]?.text).toBe('Error: Unknown tool: notebooks_export');
  });

  it('[SY3] tools_find reports when nothing matches, and in which language tools are described', async () => {
    for (const query of ['xyzzy', 'lege ein Notizbuch an', 'ノートを作成する']) {
      const { tools, hint } = await value<{ tools: object[]; hint: string }>('tools_find', { query });
      expect(tools, query).toEqual([]);
      expect(hint, query).toContain('meta/tools');
      expect(hint, query).toContain('described in English');
    }
    const { hint } = await value<{ hint: string }>('tools_find', { query: 'create a notebook' });
    expect(hint).not.toContain('English');
  });

  it('audit/list pages through everything, newest first, within the page budget', async () => {
    for (let i = 0; i < 60; i += 1) await call('probe_put', { id: `item-${i}`, text: 'x' });
    const seen: number[] = [];
    let cursor: string | undefined;
    let pageCount = 0;
    do {
      const answer = await call('audit_list', { limit: 500, ...(cursor === undefined ? {} : { cursor }) });
      const page = answer.structuredContent as { rows: { seq: number; id: string }[]; nextCursor?: string };
      expect(JSON.stringify(page).length).toBeLessThan(9_000);
      seen.push(...page.rows.map((row) => row.seq));
      cursor = page.nextCursor;
      pageCount += 1;
    } while (cursor !== undefined);
    expect(pageCount).toBeGreaterThan(1);
    expect(seen).toEqual(seen.toSorted((a, b) => b - a));
    expect(new Set(seen).size).toBe(60);
    const { rows } = await value<{ rows: { id: string }[] }>('audit_list', { topic: 'probe', id: 'item-7' });
    expect(rows.map((row) => row.id)).toEqual(['item-7']);
  });

  it('audit/list answers without hashes unless they are asked for', async () => {
    for (let i = 0; i < 20; i += 1) await call('probe_put', { id: `short-${i}`, text: 'x' });
    const short = (await call('audit_list', { limit: 20 })).structuredContent as { rows: object[] };
    const long = (await call('audit_list', { limit: 20, hashes: true })).structuredContent as { rows: object[] };
    expect(short.rows).toHaveLength(20);
    for (const row of short.rows) expect('hash' in row || 'mac' in row).toBe(false);
    expect(long.rows[0]).toMatchObject({
      ...short.rows[0],
      hash: expect.any(String) as string,
      mac: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    expect(JSON.stringify(short).length).toBeLessThan(JSON.stringify(long).length / 1.5);
  });

  it('the tools that the server instructions name can be called by a reader', () => {
    const text = client.getInstructions() ?? '';
    const scopes = new Map(readCards().map(({ listedName, scope }) => [listedName, scope]));
    const named = [...text.matchAll(/[a-z]+(?:_[a-z]+)+|recall|remember|forget/g)].map(([name]) => name);
    expect(named).toContain('tools_find');
    for (const name of named) expect([name, scopes.get(name) ?? 'read']).not.toEqual([name, 'admin']);
  });

  it('rejects a cursor of another tool or a forged one', async () => {
    const answer = await call('audit_list', { cursor: 'bm90IGEgY3Vyc29y' });
    expect(answer.isError).toBe(true);
    expect(answer.content[0]?.text).toContain('cursor');
  });
});
