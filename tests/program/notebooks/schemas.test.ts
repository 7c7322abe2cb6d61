import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  engines,
  type Json,
  type NotebookProgram,
  openOn,
  type ValidationResult,
  type Written,
} from './notebook-program.ts';

interface SharedSchema {
  readonly id: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly schema: Json;
}

const anyUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const person = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };

describe.each(engines)('shared schemas through a real client, on %s', (engine) => {
  let program: NotebookProgram;
  const upsert = async (scratch_id: string, schema: Json): Promise<SharedSchema> => {
    const {
      schema: kept,
      restore: _restore,
      ...rest
    } = await program.call<{
      schema: SharedSchema;
      restore?: Json;
    }>('scratch_upsert_schema', {
      scratch_id,
      schema,
    });
    expect(rest).toEqual({ ok: true });
    return kept;
  };
  const list = async (scratch_id: string): Promise<readonly SharedSchema[]> => {
    const answer = await program.call<{ scratch_id: string; schemas: readonly SharedSchema[] }>(
      'scratch_list_schemas',
      { scratch_id },
    );
    expect(answer.scratch_id).toBe(scratch_id);
    return answer.schemas;
  };

  beforeAll(async () => {
    program = await openOn(engine);
  });
  afterAll(() => program.close());

  it('are created with a pad, get ids, and appear in its metadata', async () => {
    const schemas = { person, place: { schema: { type: 'string' }, id: 'place-1', description: 'Where' } };
    await program.call('scratch_create', { scratch_id: 'full', metadata: { schemas } });
    const listed = await list('full');
    expect(listed).toEqual([
      { id: expect.stringMatching(anyUuid), name: 'person', description: null, schema: person },
      { id: 'place-1', name: 'place', description: 'Where', schema: { type: 'string' } },
    ]);
    const map = Object.fromEntries(listed.map((schema) => [schema.name, schema]));
    const read = await program.read('full');
    expect(read.metadata?.['schemas']).toEqual(map);
    await program.call('scratch_create', { scratch_id: 'copy', metadata: read.metadata ?? {} });
    expect((await program.read('copy')).metadata?.['schemas']).toEqual(map);
  });

  it('are added and changed by id and by name, and raise the revision of the pad', async () => {
    await program.call('scratch_create', { scratch_id: 'kept' });
    const first = await upsert('kept', { schema: { type: 'string' } });
    expect(first).toEqual({
      id: expect.stringMatching(anyUuid),
      name: null,
      description: null,
      schema: { type: 'string' },
    });
    const named = await upsert('kept', { schema: person, name: 'person', description: 'Somebody' });
    expect(await upsert('kept', { schema: { type: 'object' }, name: 'person' })).toEqual({
      ...named,
      schema: { type: 'object' },
    });
    expect(await upsert('kept', { id: named.id, schema: person, name: 'human', description: null })).toEqual({
      id: named.id,
      name: 'human',
      description: null,
      schema: person,
    });
    expect(await upsert('kept', { id: 'of.my-own_1', schema: {} })).toMatchObject({ id: 'of.my-own_1' });
    expect((await list('kept')).map(({ id }) => id)).toEqual([named.id, ...[first.id, 'of.my-own_1'].toSorted()]);
    expect((await program.read('kept')).revision).toBe(6);
  });

  it('are returned by id and by name', async () => {
    await program.call('scratch_create', { scratch_id: 'got' });
    const kept = await upsert('got', { schema: person, name: 'person' });
    for (const schema_id of [kept.id, 'person']) {
      expect(await program.call('scratch_get_schema', { scratch_id: 'got', schema_id })).toEqual({
        ok: true,
        schema: kept,
      });
    }
    for (const args of [
      { scratch_id: 'got', schema_id: 'missing' },
      { scratch_id: 'missing', schema_id: 'person' },
    ]) {
      expect((await program.fail('scratch_get_schema', args)).code).toBe('NOT_FOUND');
    }
    expect((await program.fail('scratch_list_schemas', { scratch_id: 'missing' })).code).toBe('NOT_FOUND');
  });

  it.each([
    ['no schema', { schema: { name: 'x' } }, 'VALIDATION_ERROR'],
    ['a schema that is not an object', { schema: { schema: 'text' } }, 'VALIDATION_ERROR'],
    ['a field that is not known', { schema: { schema: {}, colour: 1 } }, 'VALIDATION_ERROR'],
    ['a bad id', { schema: { schema: {}, id: 'a b' } }, 'INVALID_ID'],
    ['an empty id', { schema: { schema: {}, id: '' } }, 'INVALID_ID'],
    ['an empty name', { schema: { schema: {}, name: '' } }, 'VALIDATION_ERROR'],
    ['a name that another has', { schema: { schema: {}, id: 'other', name: 'person' } }, 'CONFLICT'],
    ['a schema over 1 MiB', { schema: { schema: { title: 'x'.repeat(1024 * 1024) } } }, 'CAPACITY_LIMIT_REACHED'],
    ['a pad that is not there', { scratch_id: 'missing', schema: { schema: {} } }, 'NOT_FOUND'],
  ])('rejects %s and changes nothing', async (_what, args, code) => {
    await program.call('scratch_create', { scratch_id: 'firm', metadata: { schemas: { person } } });
    const before = await program.read('firm');
    expect((await program.fail('scratch_upsert_schema', { scratch_id: 'firm', ...args })).code).toBe(code);
    expect(await program.read('firm')).toEqual(before);
  });

  it('rejects the 257th schema of a pad', async () => {
    const schemas = Object.fromEntries(Array.from({ length: 256 }, (_, i) => [`s${i}`, {}]));
    await program.call('scratch_create', { scratch_id: 'crowded', metadata: { schemas } });
    const error = await program.fail('scratch_upsert_schema', { scratch_id: 'crowded', schema: { schema: {} } });
    expect(error).toMatchObject({ code: 'CAPACITY_LIMIT_REACHED', details: { limit: 256 } });
    expect(await list('crowded')).toHaveLength(256);
    await upsert('crowded', { name: 's7', schema: { type: 'null' } });
  });

  describe('in validation', () => {
    let id = '';
    beforeAll(async () => {
      await program.call('scratch_create', { scratch_id: 'checked' });
      ({ id } = await upsert('checked', { schema: person, name: 'person' }));
    });
    const check = async (json_schema: unknown, content: string, language = 'json'): Promise<ValidationResult> => {
      const cell = { language, content, validate: true, json_schema };
      const { validation } = await program.call<Written>('scratch_append_cell', { scratch_id: 'checked', cell });
      return validation![0]!;
    };

    it.each([
      ['an object', person, {}],
      ['JSON text', JSON.stringify(person), {}],
      ['a reference', 'scratchpad://schemas/person', { schema_ref: 'scratchpad://schemas/person' }],
      ['a $ref', { $ref: 'scratchpad://schemas/person' }, { schema_ref: 'scratchpad://schemas/person' }],
      ['JSON text of a $ref', '{"$ref":"scratchpad://schemas/person"}', { schema_ref: 'scratchpad://schemas/person' }],
    ])('applies %s and reports the position of each error', async (_what, json_schema, details) => {
      const expected = 'schema_ref' in details ? { ...details, schema_applied: id } : undefined;
      for (const [language, content] of [
        ['json', '{"name": "Ada"}'],
        ['yaml', 'name: Ada\n'],
      ] as const) {
        const sound = await check(json_schema, content, language);
        expect(sound).toMatchObject({ valid: true, errors: [] });
        if (expected !== undefined) expect(sound.details).toEqual(expected);
      }
      const broken = await check(json_schema, '{\n  "name": 7\n}');
      expect(broken).toMatchObject({ valid: false, language: 'json' });
      expect(broken.errors[0]).toMatchObject({ line: 2, column: 11 });
      if (expected !== undefined) expect(broken.details).toEqual(expected);
    });

    it.each([
      ['scratchpad://schemas/missing'],
      [{ $ref: 'scratchpad://schemas/missing' }],
      ['{"$ref":"scratchpad://schemas/missing"}'],
    ])('warns about %j and keeps the cell as valid', async (json_schema) => {
      const result = await check(json_schema, '{"name": 7}');
      expect(result).toMatchObject({
        valid: true,
        errors: [],
        warnings: [{ code: 'SCHEMA_REFERENCE_MISSING', message: expect.stringContaining('missing') }],
        details: { schema_ref: 'scratchpad://schemas/missing' },
      });
      const { results } = await program.call<{ results: readonly ValidationResult[] }>('scratch_validate', {
        scratch_id: 'checked',
        cell_ids: [result.cell_id],
      });
      expect(results).toEqual([result]);
    });

    it('resolves references between schemas', async () => {
      await upsert('checked', {
        schema: { type: 'array', items: { $ref: 'scratchpad://schemas/person' } },
        name: 'people',
      });
      expect(await check('scratchpad://schemas/people', '[{"name": "Ada"}]')).toMatchObject({ valid: true });
      expect(await check('scratchpad://schemas/people', '[{}]')).toMatchObject({ valid: false });
    });

    it.each([
      ['http://json-schema.org/draft-07/schema#', { items: [{ type: 'string' }], additionalItems: false }],
      ['https://json-schema.org/draft/2019-09/schema', { items: [{ type: 'string' }], additionalItems: false }],
      ['https://json-schema.org/draft/2020-12/schema', { prefixItems: [{ type: 'string' }], items: false }],
    ])('supports the draft %s', async ($schema, rules) => {
      expect(await check({ $schema, ...rules }, '["a"]')).toMatchObject({ valid: true });
      expect(await check({ $schema, ...rules }, '["a", 1]')).toMatchObject({ valid: false });
    });

    it('validates a replaced cell at its new position', async () => {
      await program.call('scratch_create', {
        scratch_id: 'swapped',
        cells: ['a', 'b'].map((cell_id) => ({ cell_id, language: 'json', content: '1' })),
      });
      const { validation } = await program.call<Written>('scratch_replace_cell', {
        scratch_id: 'swapped',
        cell_id: 'a',
        new_index: 1,
        cell: { language: 'json', content: '{', validate: true },
      });
      expect(validation).toMatchObject([{ cell_index: 1, cell_id: 'a', valid: false }]);
    });
  });
});
