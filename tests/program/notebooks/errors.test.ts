import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, md, type NotebookProgram, openNotebooks } from './notebook-program.ts';

const toolNames = [
  'scratch_append_cell',
  'scratch_create',
  'scratch_delete',
  'scratch_delete_cell',
  'scratch_describe',
  'scratch_export',
  'scratch_get_schema',
  'scratch_history',
  'scratch_list',
  'scratch_list_cells',
  'scratch_list_schemas',
  'scratch_list_tags',
  'scratch_move_cell',
  'scratch_namespace_create',
  'scratch_namespace_delete',
  'scratch_namespace_list',
  'scratch_namespace_rename',
  'scratch_read',
  'scratch_replace_cell',
  'scratch_restore',
  'scratch_search',
  'scratch_trash',
  'scratch_upsert_schema',
  'scratch_validate',
];
/** Listed by default. */
const listedNames = ['scratch_append_cell', 'scratch_read', 'scratch_replace_cell', 'scratch_search'];

interface ListedSchema {
  readonly type: string;
  readonly additionalProperties?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Json>>;
}

/** A call of each tool that would succeed. */
const cell = md('x');
const soundCalls: Readonly<Record<string, Json>> = {
  scratch_append_cell: { scratch_id: 'p', cell },
  scratch_create: { scratch_id: 'q', metadata: {}, cells: [cell], if_exists: 'reset' },
  scratch_delete: { scratch_id: 'nothing' },
  scratch_delete_cell: { scratch_id: 'p', cell_id: 'd' },
  scratch_describe: { scratch_id: 'p', title: 't', description: 'd', summary: 's' },
  scratch_export: { scratch_id: 'p', format: 'md' },
  scratch_get_schema: { scratch_id: 'p', schema_id: 's' },
  scratch_history: { scratch_id: 'p', cell_id: 'c', limit: 1 },
  scratch_list: { namespaces: ['n'], tags: ['t'], limit: 1 },
  scratch_list_cells: { scratch_id: 'p', cell_ids: ['c'], tags: ['t'] },
  scratch_list_schemas: { scratch_id: 'p' },
  scratch_list_tags: { namespaces: ['n'] },
  scratch_move_cell: { scratch_id: 'p', cell_id: 'c', to_index: 1 },
  scratch_namespace_create: { namespace: 'n' },
  scratch_namespace_delete: { namespace: 'empty', delete_scratchpads: false },
  scratch_namespace_list: {},
  scratch_namespace_rename: { old_namespace: 'n', new_namespace: 'n2', migrate_scratchpads: true },
  scratch_read: { scratch_id: 'p', cell_ids: ['c'], tags: ['t'], namespaces: ['n'], include_metadata: true },
  scratch_replace_cell: { scratch_id: 'p', cell_id: 'c', cell, new_index: 0 },
  scratch_restore: { scratch_id: 'gone', replace: true },
  scratch_search: { query: 'x', namespaces: ['n'], tags: ['t'], limit: 1 },
  scratch_trash: { limit: 1 },
  scratch_upsert_schema: { scratch_id: 'p', schema: { schema: {}, id: 's', name: 'n', description: 'd' } },
  scratch_validate: { scratch_id: 'p', cell_ids: ['c'] },
};

describe('the notebook tools and their errors', () => {
  let program: NotebookProgram;
  let schemas: ReadonlyMap<string, ListedSchema>;

  beforeAll(async () => {
    program = await openNotebooks({ FOURFOLD_TOOLSETS: 'notebooks' });
    const { tools } = await program.client.listTools();
    schemas = new Map(tools.map(({ name, inputSchema }) => [name, inputSchema as ListedSchema]));
    const plant = {
      scratch_id: 'p',
      metadata: { namespace: 'n', schemas: { s: {} } },
      cells: [md('x', { cell_id: 'c' }), md('y', { cell_id: 'd' })],
    };
    await program.call('scratch_create', plant);
    await program.call('scratch_create', { scratch_id: 'gone' });
    await program.call('scratch_delete', { scratch_id: 'gone' });
  });
  afterAll(() => program.close());

  it('lists all tools when their toolset is enabled, and four without', async () => {
    expect([...schemas.keys()].filter((name) => name.startsWith('scratch_')).toSorted()).toEqual(toolNames);
    expect(Object.keys(soundCalls)).toEqual(toolNames);
    const plain = await openNotebooks();
    const { tools } = await plain.client.listTools();
    expect(
      tools
        .map(({ name }) => name)
        .filter((name) => name.startsWith('scratch_'))
        .toSorted(),
    ).toEqual(listedNames);
    // Not listed, but callable.
    expect(await plain.call('scratch_namespace_list')).toEqual({ ok: true, namespaces: [] });
    await plain.close();
  });

  it.each(toolNames)(
    '%s accepts exactly the fields of its listed schema and requires the required ones',
    async (name) => {
      const { properties = {}, required = [], additionalProperties } = schemas.get(name)!;
      const sound = soundCalls[name]!;
      expect(additionalProperties).toBe(false);
      for (const field of Object.keys(sound)) expect(Object.keys(properties)).toContain(field);
      for (const field of required) expect(Object.keys(sound)).toContain(field);
      await program.call('scratch_create', {
        scratch_id: 'p',
        metadata: { namespace: 'n', schemas: { s: {} } },
        cells: [md('x', { cell_id: 'c' }), md('y', { cell_id: 'd' })],
      });
      const unknown = await program.fail(name, { ...sound, colour: 'red' });
      expect(unknown).toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringContaining('colour') });
      for (const field of required) {
        const { [field]: _left, ...rest } = sound;
        const codes: Readonly<Record<string, string>> = {
          ...{ scratch_id: 'INVALID_ID', cell_id: 'INVALID_ID', to_index: 'INVALID_INDEX' },
        };
        const code = codes[field] ?? 'VALIDATION_ERROR';
        expect((await program.fail(name, rest)).code, field).toBe(code);
      }
      // Rejects a wrong type for every field.
      for (const field of Object.keys(properties)) {
        const { code } = await program.fail(name, { ...sound, [field]: Number.MAX_VALUE });
        expect(['VALIDATION_ERROR', 'INVALID_ID', 'INVALID_INDEX'], field).toContain(code);
      }
      expect(await program.call(name, { ...sound, _meta: { any: 1 } })).toMatchObject({ ok: true });
    },
  );

  it.each(toolNames.filter((name) => 'scratch_id' in soundCalls[name]!))(
    '%s rejects invalid ids with INVALID_ID',
    async (name) => {
      for (const scratch_id of [
        '',
        'a b',
        'a/b',
        '../x',
        'ä',
        'x'.repeat(129),
        'schemas',
        7,
        null,
        ['p'],
        'a\n',
        'a.b',
      ]) {
        const error = await program.fail(name, { ...soundCalls[name]!, scratch_id });
        expect(error, JSON.stringify(scratch_id)).toMatchObject({
          code: 'INVALID_ID',
          details: { field: 'scratch_id' },
        });
      }
      expect(schemas.get(name)?.properties?.['scratch_id']).toMatchObject({ pattern: '^[A-Za-z0-9_-]{1,128}$' });
    },
  );

  it('answers code, message and details, and sets isError', async () => {
    const answer = await program.client.callTool({ name: 'scratch_read', arguments: { scratch_id: 'missing' } });
    expect(answer.isError).toBe(true);
    expect(answer).not.toHaveProperty('structuredContent');
    const { text } = (answer.content as readonly { readonly text: string }[])[0]!;
    const message = expect.stringContaining('missing');
    const parsed = JSON.parse(text) as { readonly error: Json };
    expect(parsed).toEqual({
      ok: false,
      error: expect.objectContaining({ code: 'NOT_FOUND', message, error: message }),
    });
    expect(parsed.error['error']).toBe(parsed.error['message']);
    const keys = new Set(['code', 'message', 'error', 'details']);
    expect(Object.keys(parsed.error).filter((key) => !keys.has(key))).toEqual([]);
  });

  it('accepts ids, tags, titles and namespaces of the maximum length', async () => {
    const long = 'x'.repeat(128);
    const args = {
      scratch_id: long,
      metadata: {
        title: 't'.repeat(500),
        description: 'd'.repeat(4000),
        summary: 's'.repeat(8000),
        namespace: long,
        tags: Array.from({ length: 64 }, (_, i) => `${i}`.padEnd(128, 't')),
      },
      cells: [md('x', { cell_id: long })],
    };
    await program.call('scratch_create', args);
    expect(await program.read(long)).toMatchObject({ ...args.metadata, cells: [{ cell_id: long }] });
  });
});
