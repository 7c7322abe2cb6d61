import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/test-database.ts';
import { makeFolder, runProgram, type Served, serveProgram } from '#tests/support/program.ts';
import { type Caller, engines, type Json, md, quietEnv, toCaller, type Written } from './notebook-program.ts';

type Env = Readonly<Record<string, string>>;

async function connect(url: string, key: string): Promise<Caller> {
  const client = new Client({ name: 'tester', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  return toCaller(client);
}

async function makeKey(env: Env, tenant: string): Promise<string> {
  const words = [
    'keys',
    'create',
    '--name',
    `of-${tenant}`,
    '--tenant',
    tenant,
    '--scopes',
    'read',
    '--scopes',
    'write',
  ];
  const { stdout } = await runProgram([...words, '--json'], env);
  return (JSON.parse(stdout) as { readonly key: string }).key;
}

describe.each(engines)('scratchpads of two tenants over HTTP, on %s', (engine) => {
  const { folder, remove } = makeFolder();
  let database: TestDatabase | undefined;
  let served: Served;
  let acme: Caller;
  let umbrella: Caller;

  beforeAll(async () => {
    database = engine === 'PostgreSQL' ? await createTestDatabase() : undefined;
    const env = {
      ...quietEnv,
      FOURFOLD_HOME: folder,
      SCRATCH_NOTEBOOK_MAX_SCRATCHPADS: '3',
      ...(database === undefined ? {} : { FOURFOLD_DATABASE_URL: database.url }),
    };
    served = await serveProgram(env);
    [acme, umbrella] = [
      await connect(served.url, await makeKey(env, 'acme')),
      await connect(served.url, await makeKey(env, 'umbrella')),
    ];
    await acme.call('scratch_create', {
      scratch_id: 'plan',
      metadata: {
        title: 'Secret of acme',
        namespace: 'space',
        tags: ['acme-tag'],
        schemas: { person: { title: 'acme' } },
      },
      cells: [md('The secret walrus.', { cell_id: 'one', tags: ['acme-cell-tag'] })],
    });
  });
  afterAll(async () => {
    await acme?.client.close();
    await umbrella?.client.close();
    await served?.stop();
    await database?.drop();
    remove();
  });

  it('show nothing of the other tenant', async () => {
    const own = { scratch_id: 'plan' };
    for (const [name, args] of [
      ['scratch_read', own],
      ['scratch_list_cells', own],
      ['scratch_append_cell', { ...own, cell: md('x') }],
      ['scratch_replace_cell', { ...own, cell_id: 'one', cell: md('x') }],
      ['scratch_validate', own],
      ['scratch_list_schemas', own],
      ['scratch_get_schema', { ...own, schema_id: 'person' }],
      ['scratch_upsert_schema', { ...own, schema: { schema: {} } }],
      ['scratch_namespace_rename', { old_namespace: 'space', new_namespace: 'other' }],
    ] as const) {
      expect((await umbrella.fail(name, args)).code, name).toBe('NOT_FOUND');
    }
    const inSpace = { ...own, namespaces: ['space'] };
    const foreign = await umbrella.fail('scratch_read', inSpace);
    const missing = await umbrella.fail('scratch_read', { ...inSpace, scratch_id: 'nope' });
    expect(foreign.code).toBe('CONFLICT');
    expect(JSON.stringify(missing).replaceAll('nope', 'plan')).toBe(JSON.stringify(foreign));
    expect(await umbrella.call('scratch_delete', own)).toMatchObject({ deleted: false });
    const none = { ok: true, deleted: false, removed_scratchpads: [] };
    expect(await umbrella.call('scratch_namespace_delete', { namespace: 'space', delete_scratchpads: true })).toEqual(
      none,
    );
    expect(await umbrella.call('scratch_list')).toEqual({ ok: true, scratchpads: [] });
    expect(await umbrella.call('scratch_list_tags')).toEqual({ ok: true, scratchpad_tags: [], cell_tags: [] });
    expect(await umbrella.call('scratch_namespace_list')).toEqual({ ok: true, namespaces: [] });
    const found = await umbrella.call('scratch_search', { query: 'secret walrus' });
    expect(found).toMatchObject({ hits: [] });
    expect(JSON.stringify(found)).not.toContain('acme');
    const { resources } = await umbrella.client.listResources();
    expect(resources.map(({ uri }) => uri)).not.toContain('scratchpad://plan');
    await expect(umbrella.client.readResource({ uri: 'scratchpad://plan/one' })).rejects.toThrow('not found');
    expect(await acme.read('plan')).toMatchObject({ revision: 1, cell_count: 1 });
  });

  it('may share an id, and the limit counts per tenant', async () => {
    const metadata = { namespace: 'space' };
    const made = await umbrella.call<Written>('scratch_create', { scratch_id: 'plan', metadata, if_exists: 'fail' });
    expect(made.scratchpad).toMatchObject({ revision: 1, cell_count: 0 });
    expect(made).not.toHaveProperty('reset');
    for (const scratch_id of ['second', 'third']) await umbrella.call('scratch_create', { scratch_id });
    expect((await umbrella.fail('scratch_create', { scratch_id: 'fourth' })).code).toBe('CAPACITY_LIMIT_REACHED');
    await acme.call('scratch_create', { scratch_id: 'second' });
    await umbrella.call('scratch_namespace_delete', { namespace: 'space', delete_scratchpads: true });
    expect((await acme.read('plan')).cells[0]?.content).toBe('The secret walrus.');
  });

  it('can be written with every tool, in the same forms', async () => {
    const cell = { language: 'json', content: '{', validate: true };
    const appended = await acme.call<Written>('scratch_append_cell', { scratch_id: 'plan', cell });
    expect(appended).toMatchObject({ scratchpad: { revision: 2 }, validation: [{ valid: false }] });
    expect(JSON.stringify(appended)).not.toContain('walrus');
    const moved = { scratch_id: 'plan', cell_id: 'one', cell: md('x'), new_index: 1 };
    expect(await acme.call('scratch_replace_cell', moved)).toMatchObject({
      scratchpad: { cells: [{}, { cell_id: 'one' }] },
    });
    expect(await acme.fail('scratch_read', { scratch_id: 'a b' })).toMatchObject({ code: 'INVALID_ID' });
  });

  it('have metrics with the names of the original', async () => {
    const headers = { authorization: `Bearer ${served.key}` };
    const text = await (await fetch(`${served.url}/metrics`, { headers })).text();
    const value = (name: string): number => {
      const line = text.split('\n').find((entry) => entry.startsWith(`scratch_notebook_${name} `));
      return Number(line?.split(' ')[1]);
    };
    expect(value('ops_total{op="scratch_append_cell"}')).toBe(2);
    expect(value('ops_total{op="scratch_create"}')).toBe(6);
    expect(value('errors_total{code="CAPACITY_LIMIT_REACHED"}')).toBe(1);
    expect(value('errors_total{code="INVALID_ID"}')).toBe(1);
    expect(value('scratchpads_current')).toBe(4);
    expect(value('cells_current')).toBe(2);
    expect(value('uptime_seconds')).toBeGreaterThan(0);
    expect(text).toContain('# TYPE scratch_notebook_evictions_total counter');
    for (const secret of ['acme', 'umbrella', 'walrus']) expect(text).not.toContain(secret);
  });
});

describe('variables of the original over HTTP', () => {
  const token = 'a-token-that-is-long-enough-to-be-one';

  async function serve(env: Env, args: readonly string[] = []) {
    const { folder, remove } = makeFolder();
    const served = await serveProgram({ ...quietEnv, FOURFOLD_HOME: folder, ...env }, args);
    const post = (key: string | undefined, tool: string, body: Json = {}) =>
      fetch(`${served.url}/api/tools/${tool}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify(body),
      });
    return {
      served,
      post,
      async end() {
        await served.stop();
        remove();
      },
    };
  }

  it('AUTH_BEARER_TOKEN gives read and write access to the tenant local', async () => {
    const { served, post, end } = await serve({ SCRATCH_NOTEBOOK_AUTH_BEARER_TOKEN: token });
    expect((await post(token, 'scratch_create', { scratch_id: 'mine' })).status).toBe(200);
    expect((await post(`${token}x`, 'scratch_list')).status).toBe(401);
    expect((await post(undefined, 'scratch_list')).status).toBe(401);
    const listed = (await (await post(served.key, 'scratch_list')).json()) as { scratchpads: readonly Json[] };
    expect(listed.scratchpads).toMatchObject([{ scratch_id: 'mine' }]);
    const caller = await connect(served.url, token);
    expect(await caller.read('mine')).toMatchObject({ scratch_id: 'mine' });
    await caller.client.close();
    await end();
  });

  it('AUTH_TOKEN_FILE gives access to the tenants that it names', async () => {
    const { folder, remove } = makeFolder();
    const file = join(folder, 'tokens');
    writeFileSync(file, `# ours\nacme:${token}-acme\numbrella:${token}-umbrella\n${token}-local\n`);
    const { post, end } = await serve({ SCRATCH_NOTEBOOK_AUTH_TOKEN_FILE: file });
    const listOf = async (who: string): Promise<unknown> => (await post(`${token}-${who}`, 'scratch_list')).json();
    expect((await post(`${token}-acme`, 'scratch_create', { scratch_id: 'of-acme' })).status).toBe(200);
    expect(await listOf('acme')).toMatchObject({ scratchpads: [{ scratch_id: 'of-acme' }] });
    for (const who of ['umbrella', 'local']) expect(await listOf(who)).toMatchObject({ scratchpads: [] });
    expect((await post(token, 'scratch_list')).status).toBe(401);
    await end();
    remove();
  });

  it('ENABLE_AUTH=false allows every caller; ENABLE_METRICS=false disables metrics', async () => {
    const { served, post, end } = await serve({
      SCRATCH_NOTEBOOK_ENABLE_AUTH: 'false',
      SCRATCH_NOTEBOOK_ENABLE_METRICS: 'false',
    });
    expect((await post(undefined, 'scratch_create', { scratch_id: 'open' })).status).toBe(200);
    expect((await fetch(`${served.url}/metrics`)).status).toBe(404);
    await end();
  });

  it('METRICS_PATH and HTTP_HOST take effect', async () => {
    const { served, end } = await serve({
      SCRATCH_NOTEBOOK_METRICS_PATH: '/figures',
      SCRATCH_NOTEBOOK_HTTP_HOST: '127.0.0.2',
    });
    expect(served.url).toMatch(/^http:\/\/127\.0\.0\.2:/);
    const headers = { authorization: `Bearer ${served.key}` };
    expect((await fetch(`${served.url}/metrics`, { headers })).status).toBe(404);
    expect(await (await fetch(`${served.url}/figures`, { headers })).text()).toContain(
      'scratch_notebook_uptime_seconds',
    );
    await end();
  });

  const bomb = {
    language: 'json',
    content: JSON.stringify(`${'a'.repeat(40)}!`),
    json_schema: { pattern: '^(a+)+$' },
  };

  it.each([
    ['a long one lets a call finish', '60s', 'VALIDATION_TIMEOUT'],
    ['a short one cuts it off', '0', undefined],
  ])('SHUTDOWN_TIMEOUT: %s', async (_what, ms, expected) => {
    const { served, post, end } = await serve({
      SCRATCH_NOTEBOOK_SHUTDOWN_TIMEOUT: ms,
      SCRATCH_NOTEBOOK_VALIDATION_TIMEOUT: '2s',
    });
    await post(served.key, 'scratch_create', { scratch_id: 'p', cells: [bomb] });
    const asked = post(served.key, 'scratch_validate', { scratch_id: 'p' }).then(
      async (answer) => (await answer.json()) as { readonly error: { readonly code: string } },
      () => undefined,
    );
    // An answer to a later call shows that this one has started.
    await post(served.key, 'scratch_list');
    await end();
    expect((await asked)?.error.code).toBe(expected);
  });
});
