import { expect, test } from 'vitest';
import { notebookLimits } from '../notebook-limits.ts';
import { describeOnEngines } from '../notebooks.fixture.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const object = { type: 'object' };

const codeOf = (answer: Readonly<Record<string, unknown>>) => (answer['error'] as { code: string } | undefined)?.code;
const schemasOf = (answer: Readonly<Record<string, unknown>>) => answer['schemas'] as Record<string, unknown>[];

describeOnEngines('the schemas of a pad', (engine) => {
  const open = async () => {
    const { ask } = engine.open().as(engine.newTenant());
    await ask('scratch_create', { scratch_id: 'plan' });
    return ask;
  };

  test('gives a schema an id, finds it by id and by name, and lists it', async () => {
    const ask = await open();
    const made = await ask('scratch_upsert_schema', { scratch_id: 'plan', schema: { schema: object, name: 'task' } });
    expect(made).toEqual({
      ok: true,
      schema: { id: expect.stringMatching(uuid), name: 'task', description: null, schema: object },
    });
    const { schema } = made as { schema: { id: string } };
    expect(await ask('scratch_get_schema', { scratch_id: 'plan', schema_id: schema.id })).toEqual({ ok: true, schema });
    expect(await ask('scratch_get_schema', { scratch_id: 'plan', schema_id: 'task' })).toEqual({ ok: true, schema });
    expect(await ask('scratch_list_schemas', { scratch_id: 'plan' })).toEqual({
      ok: true,
      scratch_id: 'plan',
      schemas: [schema],
    });
  });

  test('updates by id or by name, keeps absent fields, and clears null ones', async () => {
    const ask = await open();
    const put = (schema: object) => ask('scratch_upsert_schema', { scratch_id: 'plan', schema });
    await put({ schema: object, id: 'one', name: 'task', description: 'A task' });
    expect(await put({ schema: {}, id: 'one' })).toMatchObject({
      schema: { id: 'one', name: 'task', description: 'A task', schema: {} },
    });
    expect(await put({ schema: { a: 1 }, name: 'task', description: null })).toMatchObject({
      schema: { id: 'one', name: 'task', description: null, schema: { a: 1 } },
    });
    expect(await put({ schema: { a: 1 }, id: 'one', name: 'job' })).toMatchObject({ schema: { name: 'job' } });
    expect(codeOf(await ask('scratch_get_schema', { scratch_id: 'plan', schema_id: 'task' }))).toBe('NOT_FOUND');
    expect(schemasOf(await ask('scratch_list_schemas', { scratch_id: 'plan' }))).toHaveLength(1);
  });

  test('stores a schema with unresolved references and warns', async () => {
    const ask = await open();
    const put = (name: string, schema: object) =>
      ask('scratch_upsert_schema', { scratch_id: 'plan', schema: { name, schema } });
    const remote = await put('task', { properties: { who: { $ref: 'https://example.com/person.json' } } });
    expect(remote).toMatchObject({
      ok: true,
      warnings: [expect.stringMatching(/^\/properties\/who\/\$ref: https:.*nothing is fetched/)],
    });
    expect(schemasOf(await ask('scratch_list_schemas', { scratch_id: 'plan' }))).toHaveLength(1);
    const shared = { $ref: 'scratchpad://schemas/person%20one#/$defs/name' };
    expect((await put('a', shared))['warnings']).toHaveLength(1);
    expect(await put('person one', { $id: 'https://example.com/person.json', $defs: { name: {} } })).not.toHaveProperty(
      'warnings',
    );
    expect(await put('a', shared)).not.toHaveProperty('warnings');
    expect(await put('task', { $ref: 'https://example.com/person.json#' })).not.toHaveProperty('warnings');
  });

  test('rejects a name that another schema has', async () => {
    const ask = await open();
    const put = (schema: object) => ask('scratch_upsert_schema', { scratch_id: 'plan', schema });
    await put({ schema: object, id: 'one', name: 'task' });
    expect(codeOf(await put({ schema: object, id: 'two', name: 'task' }))).toBe('CONFLICT');
    expect(schemasOf(await ask('scratch_list_schemas', { scratch_id: 'plan' }))).toHaveLength(1);
  });

  test('lists schemas by name, then by id, those without a name last', async () => {
    const ask = await open();
    for (const schema of [
      { id: 'z', name: 'b' },
      { id: 'y' },
      { id: 'x', name: 'a' },
      { id: 'w', name: 'B' },
      { id: 'v' },
    ]) {
      await ask('scratch_upsert_schema', { scratch_id: 'plan', schema: { ...schema, schema: {} } });
    }
    const listed = schemasOf(await ask('scratch_list_schemas', { scratch_id: 'plan' }));
    expect(listed.map(({ id }) => id)).toEqual(['w', 'x', 'z', 'v', 'y']);
  });

  test('raises the revision of the pad with each change and logs the change', async () => {
    const memory = engine.open();
    const tenant = engine.newTenant();
    const { ask } = memory.as(tenant);
    await ask('scratch_create', { scratch_id: 'plan' });
    const seq = await memory.storage.version(tenant, 'scratchpad');
    await ask('scratch_upsert_schema', { scratch_id: 'plan', schema: { schema: object } });
    expect(await ask('scratch_read', { scratch_id: 'plan' })).toMatchObject({ scratchpad: { revision: 2 } });
    expect(await memory.storage.changesSince(tenant, 'scratchpad', seq, 10)).toMatchObject([
      { id: 'plan', what: 'update' },
    ]);
  });

  test('registers the schemas in metadata.schemas', async () => {
    const { ask } = engine.open().as(engine.newTenant());
    const many = Object.fromEntries(Array.from({ length: 70 }, (_, i) => [`s${String(i).padStart(2, '0')}`, { n: i }]));
    const schemas = { ...many, task: { id: 'one', description: 'A task', schema: object } };
    expect(await ask('scratch_create', { scratch_id: 'plan', metadata: { schemas } })).toMatchObject({ ok: true });
    const listed = schemasOf(await ask('scratch_list_schemas', { scratch_id: 'plan' }));
    expect(listed.map(({ name }) => name)).toEqual([...Object.keys(many), 'task']);
    expect(listed.at(-1)).toEqual({ id: 'one', name: 'task', description: 'A task', schema: object });
    expect(listed[5]).toMatchObject({ id: expect.stringMatching(uuid), schema: { n: 5 } });
  });

  test('creates no pad when a schema is invalid', async () => {
    const { ask } = engine.open().as(engine.newTenant());
    const answer = await ask('scratch_create', { scratch_id: 'plan', metadata: { schemas: { a: 5 } } });
    expect(codeOf(answer)).toBe('VALIDATION_ERROR');
    const tooMany = Object.fromEntries(
      Array.from({ length: notebookLimits.padSchemasCount + 1 }, (_, i) => [`s${i}`, {}]),
    );
    expect(codeOf(await ask('scratch_create', { scratch_id: 'plan', metadata: { schemas: tooMany } }))).toBe(
      'CAPACITY_LIMIT_REACHED',
    );
    const heavy = { description: 'x'.repeat(notebookLimits.schemaBytes - 100) };
    const tooHeavy = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, heavy]));
    expect(codeOf(await ask('scratch_create', { scratch_id: 'plan', metadata: { schemas: tooHeavy } }))).toBe(
      'CAPACITY_LIMIT_REACHED',
    );
    expect(codeOf(await ask('scratch_read', { scratch_id: 'plan' }))).toBe('NOT_FOUND');
  });

  test('limits the number and size of schemas, but allows updates at the limit', async () => {
    const { ask } = engine.open().as(engine.newTenant());
    const full = Object.fromEntries(
      Array.from({ length: notebookLimits.padSchemasCount }, (_, i) => [`s${i}`, { id: `s${i}`, schema: {} }]),
    );
    await ask('scratch_create', { scratch_id: 'full', metadata: { schemas: full } });
    const put = (scratch_id: string, schema: object) => ask('scratch_upsert_schema', { scratch_id, schema });
    expect(codeOf(await put('full', { schema: {}, name: 'one more' }))).toBe('CAPACITY_LIMIT_REACHED');
    expect(await put('full', { schema: { a: 1 }, id: 's7' })).toMatchObject({ ok: true, schema: { id: 's7' } });
    expect(await ask('scratch_read', { scratch_id: 'full' })).toMatchObject({ scratchpad: { revision: 2 } });

    await ask('scratch_create', { scratch_id: 'heavy' });
    const heavy = { description: 'x'.repeat(notebookLimits.schemaBytes - 100) };
    for (const name of ['a', 'b', 'c', 'd'])
      expect(await put('heavy', { schema: heavy, name })).toMatchObject({ ok: true });
    expect(codeOf(await put('heavy', { schema: heavy, name: 'e' }))).toBe('CAPACITY_LIMIT_REACHED');
    expect(await put('heavy', { schema: heavy, name: 'd' })).toMatchObject({ ok: true });
    const { description } = { description: 'x'.repeat(notebookLimits.schemaBytes) };
    expect(codeOf(await put('heavy', { schema: { description }, name: 'd' }))).toBe('CAPACITY_LIMIT_REACHED');
  });

  test('answers NOT_FOUND for missing schemas and rejects invalid ids', async () => {
    const ask = await open();
    expect(codeOf(await ask('scratch_list_schemas', { scratch_id: 'missing' }))).toBe('NOT_FOUND');
    expect(codeOf(await ask('scratch_get_schema', { scratch_id: 'missing', schema_id: 'x' }))).toBe('NOT_FOUND');
    expect(codeOf(await ask('scratch_get_schema', { scratch_id: 'plan', schema_id: 'x' }))).toBe('NOT_FOUND');
    expect(codeOf(await ask('scratch_upsert_schema', { scratch_id: 'missing', schema: { schema: {} } }))).toBe(
      'NOT_FOUND',
    );
    expect(codeOf(await ask('scratch_get_schema', { scratch_id: 'plan', schema_id: '' }))).toBe('INVALID_ID');
    expect(codeOf(await ask('scratch_list_schemas', { scratch_id: 'schemas' }))).toBe('INVALID_ID');
    expect(codeOf(await ask('scratch_upsert_schema', { scratch_id: 'plan', schema: { schema: {}, id: 'a/b' } }))).toBe(
      'INVALID_ID',
    );
    for (const schema of [{}, { schema: 'x' }, { schema: {}, name: '' }, { schema: {}, other: 1 }]) {
      const code = codeOf(await ask('scratch_upsert_schema', { scratch_id: 'plan', schema }));
      expect(['VALIDATION_ERROR', 'INVALID_PARAMS']).toContain(code);
    }
    expect(await ask('scratch_read', { scratch_id: 'plan' })).toMatchObject({ scratchpad: { revision: 1 } });
  });

  test('hides schemas from other tenants', async () => {
    const memory = engine.open();
    const ada = memory.as(engine.newTenant());
    const bob = memory.as(engine.newTenant());
    for (const { ask } of [ada, bob]) await ask('scratch_create', { scratch_id: 'plan' });
    await ada.ask('scratch_upsert_schema', { scratch_id: 'plan', schema: { schema: object, id: 'one', name: 'task' } });
    expect(await bob.ask('scratch_list_schemas', { scratch_id: 'plan' })).toMatchObject({ schemas: [] });
    expect(codeOf(await bob.ask('scratch_get_schema', { scratch_id: 'plan', schema_id: 'one' }))).toBe('NOT_FOUND');
  });

  test('creates one schema for concurrent upserts of one name', async () => {
    const ask = await open();
    await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        ask('scratch_upsert_schema', { scratch_id: 'plan', schema: { schema: { n }, name: 'task' } }),
      ),
    );
    expect(schemasOf(await ask('scratch_list_schemas', { scratch_id: 'plan' }))).toHaveLength(1);
  });
});
