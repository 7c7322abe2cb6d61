import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder, runProgram, type Served, serveProgram } from '#tests/support/program.ts';
import { engines, type Json, type NotebookProgram, openOn } from './notebooks/notebook-program.ts';

interface Case {
  readonly tool: string;
  readonly args: Json;
  /** Words that the fix must contain: allowed values, names, tools that help. */
  readonly fix: readonly string[];
}

const md = (content: string) => ({ language: 'md', content });
const missingEntity = `ent_${'0'.repeat(24)}`;

/** For every surface, on a store that contains the pad `plan` with the cell `a` and the namespace `work`. */
const cases: Readonly<Record<string, Case>> = {
  'an unknown argument': { tool: 'scratch_read', args: { scrach_id: 'plan' }, fix: ['scratch_id', 'cell_ids'] },
  'an unknown argument of a cell': {
    tool: 'scratch_append_cell',
    args: { scratch_id: 'plan', cell: { ...md('x'), contents: 'y' } },
    fix: ['"contents"', '"content"', 'json_schema'],
  },
  'an unknown argument of one of many cells': {
    tool: 'scratch_create',
    args: { cells: [md('x'), { ...md('y'), tag: 'z' }] },
    fix: ['"tag"', '"tags"'],
  },
  'a value that is not in the list': {
    tool: 'scratch_create',
    args: { scratch_id: 'plan', if_exists: 'keep' },
    fix: ['reset, fail, append'],
  },
  'an unknown language': {
    tool: 'scratch_append_cell',
    args: { scratch_id: 'plan', cell: { language: 'pyhton9', content: 'x' } },
    fix: ['json, yaml', 'toml, php, cs'],
  },
  'an argument that is inside another one': {
    tool: 'scratch_create',
    args: { scratch_id: 'plan2', namespace: 'work' },
    fix: ['"namespace"', '"metadata.namespace"'],
  },
  'the content of a cell beside it': {
    tool: 'scratch_append_cell',
    args: { scratch_id: 'plan', content: 'x' },
    fix: ['"cell.content"'],
  },
  'another id for a pad': {
    tool: 'scratch_describe',
    args: { scratch_id: 'plan', new_id: 'plan2' },
    fix: ['is fixed', 'title'],
  },
  'a package to ingest': { tool: 'knowledge_ingest', args: { package: 'zod' }, fix: ['source', 'npm:zod'] },
  'a NUL in a text': {
    tool: 'scratch_append_cell',
    args: { scratch_id: 'plan', cell: md('abc\0') },
    fix: ['NUL character U+0000', 'position 3', '/cell/content'],
  },
  'a NUL in a key': {
    tool: 'scratch_create',
    args: { scratch_id: 'plan2', metadata: { 'a\0': 1 } },
    fix: ['keys of /metadata'],
  },
  'a page of docs to forget': {
    tool: 'forget',
    args: { id: 'doc:handbook@1/oncall.md' },
    fix: ['doc:handbook@1', 'knowledge_remove {"library": "handbook", "version": "1"}'],
  },
  'a missing argument': { tool: 'scratch_append_cell', args: { scratch_id: 'plan' }, fix: ['"cell"', 'Example: {'] },
  'a wrong type': { tool: 'scratch_list', args: { limit: 'many' }, fix: ['/limit', 'Example: {'] },
  'an unknown tool': { tool: 'scratch_apend', args: {}, fix: ['scratch_append_cell', 'tools_find'] },
  'a missing pad': { tool: 'scratch_read', args: { scratch_id: 'none' }, fix: ['scratch_list', 'scratch_trash'] },
  'an append to a missing pad': {
    tool: 'scratch_append_cell',
    args: { scratch_id: 'none', cell: md('x') },
    fix: ['create_if_missing: true', 'scratch_create'],
  },
  'a missing cell': {
    tool: 'scratch_replace_cell',
    args: { scratch_id: 'plan', cell_id: 'none', cell: md('x') },
    fix: ['scratch_list_cells {"scratch_id": "plan"}'],
  },
  'a cell id that is taken': {
    tool: 'scratch_append_cell',
    args: { scratch_id: 'plan', cell: { ...md('x'), cell_id: 'a' } },
    fix: ['scratch_replace_cell'],
  },
  'a pad that exists': {
    tool: 'scratch_create',
    args: { scratch_id: 'plan', if_exists: 'fail' },
    fix: ['append', 'reset'],
  },
  'another revision': {
    tool: 'scratch_append_cell',
    args: { scratch_id: 'plan', cell: md('x'), expected_revision: 99 },
    fix: ['scratch_read {"scratch_id": "plan"}', 'expected_revision'],
  },
  'an index outside the pad': {
    tool: 'scratch_replace_cell',
    args: { scratch_id: 'plan', cell_id: 'a', cell: md('x'), new_index: 7 },
    fix: ['0 to 0'],
  },
  'a missing id': { tool: 'scratch_delete_cell', args: { cell_id: 'a' }, fix: ['"scratch_id"', 'Example: {'] },
  'a malformed id': { tool: 'scratch_read', args: { scratch_id: '../x' }, fix: ['letters', 'scratch_list'] },
  'a cursor of another list': { tool: 'scratch_list', args: { cursor: 'AAAA' }, fix: ['cursor'] },
  'a cell over the limit': {
    tool: 'scratch_append_cell',
    args: { scratch_id: 'plan', cell: md('x'.repeat(2_000)) },
    fix: ['1000', 'limit'],
  },
  'a pad that is not in the trash': { tool: 'scratch_restore', args: { scratch_id: 'none' }, fix: ['scratch_trash'] },
  'nothing to restore': { tool: 'scratch_restore', args: {}, fix: ['scratch_trash'] },
  'a missing schema': {
    tool: 'scratch_get_schema',
    args: { scratch_id: 'plan', schema_id: 'none' },
    fix: ['scratch_list_schemas'],
  },
  'a missing namespace': {
    tool: 'scratch_namespace_rename',
    args: { old_namespace: 'none', new_namespace: 'x' },
    fix: ['scratch_namespace_list'],
  },
  'a namespace with pads': {
    tool: 'scratch_namespace_delete',
    args: { namespace: 'work' },
    fix: ['delete_scratchpads: true', 'scratch_restore'],
  },
  'a missing entity': {
    tool: 'get_entity_snapshot',
    args: { entity_id: missingEntity },
    fix: ['get_entity_by_identifier', 'retrieve_entities'],
  },
  'an unknown capability': {
    tool: 'submit_payload',
    args: {
      capability_id: 'neotoma:store_invoices:v1',
      body: {},
      provenance: { source_refs: [], extracted_at: '2026-01-01T00:00:00Z', extractor_version: '1' },
    },
    fix: ['neotoma:store_invoice:v1', 'list_capabilities'],
  },
  'a missing record': {
    tool: 'delete_record',
    args: { id: '01936f2e-7c1a-7b3a-9f00-2c6d1c3f8a11' },
    fix: ['retrieve_records', 'restore_record'],
  },
  'an unknown relationship type': {
    tool: 'create_relationship',
    args: { relationship_type: 'OWNZ', source_entity_id: missingEntity, target_entity_id: missingEntity },
    fix: ['list_relationship_types'],
  },
  'a missing relationship': {
    tool: 'delete_relationship',
    args: { relationship_id: '8c19c3c0-4365-8753-afa3-f3e270322d50' },
    fix: ['list_relationships'],
  },
  'a missing contradiction': {
    tool: 'accept_contradiction',
    args: { contradiction_id: '8c19c3c0-4365-8753-afa3-f3e270322d50' },
    fix: ['list_contradictions'],
  },
  'a file outside the allowed folders': {
    tool: 'upload_file',
    args: { file_path: '/no/such/file.txt' },
    fix: ['fileRoots'],
  },
  'a closed mutation gate': {
    tool: 'instructions/add',
    args: { entry: { id: 'x', body: 'y' } },
    fix: ['instructions/propose'],
  },
  'an unknown action': {
    tool: 'instructions/dispatch',
    args: { action: 'serach' },
    fix: ['search', 'supportedActions'],
  },
  'a missing action': { tool: 'instructions/dispatch', args: {}, fix: ['action', 'Example: {'] },
  'an unknown argument of a rule search': {
    tool: 'instructions/search',
    args: { querry: 'commit' },
    fix: ['"querry"', '"query"'],
  },
  'an approval while the mutation gate is shut': {
    tool: 'instructions/approve',
    args: { proposal_id: 'none' },
    fix: ['fourfold instructions approve', 'dashboard'],
  },
  'a version that does not exist': {
    tool: 'instructions/compare',
    args: { id: 'none', from: 1, to: 2 },
    fix: ['instructions/history'],
  },
  'a missing argument of a search in docs': { tool: 'search_docs', args: {}, fix: ['"query"', 'Example: {'] },
  'a wrong value of a template': {
    tool: 'get_feathers_template',
    args: { database: 'sqlite', version: 'v9' },
    fix: ['v4', 'v5'],
  },
};

/** The fix of an error in the form of any family (RULINGS R2). */
function fixOf(error: Json): unknown {
  const inner = (error['error'] ?? error) as Json;
  const part = (inner['details'] ?? inner['data']) as Json | undefined;
  return part?.['fix'] ?? part?.['suggestion'];
}

function fixOfTexts(texts: readonly string[]): unknown {
  const [first = '', second] = texts;
  if (!first.startsWith('{')) return second?.startsWith('Fix: ') ? second.slice(5) : undefined;
  return fixOf(JSON.parse(first) as Json);
}

function expectUsable(fix: unknown, words: readonly string[]): void {
  expect(fix).toBeTypeOf('string');
  const text = fix as string;
  expect(text.length).toBeGreaterThan(10);
  for (const word of words) expect(text).toContain(word);
}

const env = { SCRATCH_NOTEBOOK_MAX_CELL_BYTES: '1000' };
const table = Object.entries(cases);

describe.each(engines)('on %s over stdio', (engine) => {
  let program: NotebookProgram;
  beforeAll(async () => {
    program = await openOn(engine, env);
    const cells = [{ ...md('a'), cell_id: 'a' }];
    await program.call('scratch_create', { scratch_id: 'plan', metadata: { namespace: 'work' }, cells });
  });
  afterAll(() => program?.close());

  it.each(table)('%s has a fix that helps', async (_what, { tool, args, fix }) => {
    const answer = await program.client.callTool({ name: tool, arguments: { ...args } });
    expect(answer.isError).toBe(true);
    const texts = (answer.content as readonly { text: string }[]).map(({ text }) => text);
    expectUsable(fixOfTexts(texts), fix);
  });

  it.each([
    ['scratch_append_cell', { scratch_id: 'plan', cell: { language: 'klingon', content: 'x' } }],
    ['remember', { text: 'x', kind: 'dream' }],
    ['recall', { task: 'x', memories: ['dreams'] }],
    ['nope', {}],
  ])('%s does not guess what another word means', async (tool, args) => {
    const answer = await program.client.callTool({ name: tool, arguments: args });
    const fix = String(fixOfTexts((answer.content as readonly { text: string }[]).map(({ text }) => text)));
    expect(fix).toMatch(/Use one of|tools_find|Accepted/);
    expect(fix).not.toMatch(/nearest|did you mean/);
  });

  it('an error leaves the pad as it was', async () => {
    expect(await program.read('plan')).toMatchObject({ revision: 1, cell_count: 1 });
  });
});

describe('over HTTP and plain JSON-RPC', () => {
  const { folder, remove } = makeFolder();
  let served: Served;
  const headers = () => ({ authorization: `Bearer ${served.key}`, 'content-type': 'application/json' });
  const post = async (path: string, body: object, more: Readonly<Record<string, string>> = {}) =>
    (await (
      await fetch(`${served.url}${path}`, {
        method: 'POST',
        headers: { ...headers(), accept: 'application/json, text/event-stream', ...more },
        body: JSON.stringify(body),
      })
    ).json()) as Json;

  beforeAll(async () => {
    served = await serveProgram({ ...env, FOURFOLD_HOME: folder, SCRATCH_NOTEBOOK_EMBEDDING_MODEL: 'debug' });
    const cells = [{ ...md('a'), cell_id: 'a' }];
    await post('/api/tools/scratch_create', { scratch_id: 'plan', metadata: { namespace: 'work' }, cells });
  });
  afterAll(async () => {
    await served?.stop();
    remove();
  });

  it.each(table)('%s has a fix that helps on the HTTP API', async (_what, { tool, args, fix }) => {
    expectUsable(fixOf(await post(`/api/tools/${tool}`, args)), fix);
  });

  const slashed = table.filter(([, { tool }]) => tool.includes('/'));
  it.each(slashed)('%s has a fix that helps as a plain method', async (_what, { tool, args, fix }) => {
    const answer = await post('/mcp', { jsonrpc: '2.0', id: 1, method: tool, params: args });
    expect(answer).toHaveProperty('error.data.suggestion');
    expectUsable(fixOf(answer['error'] as Json), fix);
    const line = JSON.stringify({ jsonrpc: '2.0', id: 1, method: tool, params: args });
    const { stdout } = await runProgram([], { FOURFOLD_HOME: `${folder}/stdio` }, `${line}\n`);
    expectUsable(fixOf((JSON.parse(stdout.split('\n')[0]!) as Json)['error'] as Json), fix);
  });

  it('an unknown method and an unknown address have a fix', async () => {
    const answer = await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'instructions/serach', params: {} });
    expectUsable(fixOf(answer['error'] as Json), ['instructions_search', 'tools_find']);
    expectUsable(fixOf(await post('/api/nothing', {})), ['/api/tools/']);
  });

  it('a missing key and a missing scope have a fix', async () => {
    expectUsable(fixOf(await post('/api/tools/scratch_list', {}, { authorization: 'Bearer wrong' })), ['keys create']);
    const made = await runProgram(['keys', 'create', 'reader', '--scopes', 'read', '--json'], {
      FOURFOLD_HOME: folder,
    });
    const key = /ff_[\w-]+/.exec(made.stdout)?.[0] ?? '';
    const answer = await post('/api/tools/scratch_delete', { scratch_id: 'plan' }, { authorization: `Bearer ${key}` });
    expectUsable(fixOf(answer), ['scope write', '--scopes write']);
  });
});

it('negative control: an error without a fix, or with one that names nothing, is detected', () => {
  expect(() => expectUsable(fixOf({ ok: false, error: { code: 'X', message: 'm' } }), [])).toThrow(/string/);
  expect(() => expectUsable(fixOfTexts(['Error: no']), [])).toThrow(/string/);
  const vague = { error: { code: 'X', details: { fix: 'Correct the value and call again.' } } };
  expect(() => expectUsable(fixOf(vague), ['scratch_list'])).toThrow(/scratch_list/);
  expect(() => expectUsable(fixOf(vague), [])).not.toThrow();
});
