import { expect, test } from 'vitest';
import type { TenantId } from '#kernel/call.ts';
import { canonicalJson } from '#kernel/json/canonical.ts';
import type { Work } from '#kernel/storage/port.ts';
import { createCall, newTenant } from '#tests/contract/storage/call.ts';
import type { ToolAnswer } from '#tests/support/open-toolset.ts';
import { truthLimits } from '../truth-limits.ts';
import { schemaTopic } from '../truth-vocabulary.ts';
import { builtinSchemas } from './builtin-schemas.ts';
import { insertSchema } from './schema-store.ts';
import { describeSchemas, type SchemasFixture } from './schemas.fixture.ts';

const plate = { plate: { type: 'string', identifier: true } };
const queries = { ...plate, made_date: { type: 'date' } };
const firstMoment = '2026-01-01T00:00:00.000Z';

const listed = (result: ToolAnswer) =>
  (result['schemas'] as { entity_type: string; version: string; is_active: boolean }[]).map(
    ({ entity_type, version, is_active }) => `${entity_type} ${version}${is_active ? ' active' : ''}`,
  );

const activeIn = (fixture: SchemasFixture, tenant: TenantId, type: string) =>
  fixture.storage.read(createCall(tenant), (db) => fixture.schemas.active(db, type));

describeSchemas('entity schemas', (fixture) => {
  const open = (tenant = newTenant()) => {
    const ask = (name: string, args: unknown) => fixture().ask(tenant, name, args);
    return {
      tenant,
      register: (version: string, fields: unknown, entity_type = 'vehicle') =>
        ask('register_entity_schema', { entity_type, version, fields }),
      activate: (version: string, entity_type = 'vehicle') => ask('activate_entity_schema', { entity_type, version }),
      list: (asked: object = { entity_type: 'vehicle' }) => ask('list_entity_schemas', asked),
      active: (type = 'vehicle') => activeIn(fixture(), tenant, type),
    };
  };

  test('a registered version is inactive until it is activated', async () => {
    const { tenant, register, activate, active, list } = open();
    expect(await active()).toEqual({ entity_type: 'vehicle', version: '1.0', fields: {}, open: true });
    const shown = {
      ...{ entity_type: 'vehicle', version: '1.1', is_builtin: false, created_at: firstMoment },
      ...{ fields: plate, open: true },
    };
    expect(await register('1.1', plate)).toEqual({
      schema: { ...shown, is_active: false, activated_at: null },
      created: true,
    });
    expect(await active()).toMatchObject({ version: '1.0' });
    const activated = { ...shown, is_active: true, activated_at: firstMoment };
    expect(await activate('1.1')).toEqual({
      schema: activated,
      previous_version: '1.0',
      changed: true,
      hint: expect.stringContaining('`fourfold truth rebuild`'),
    });
    expect(await active()).toEqual({ entity_type: 'vehicle', version: '1.1', fields: plate, open: true });
    expect(await activate('1.1')).toEqual({ schema: activated, previous_version: '1.1', changed: false });
    expect(await list()).toEqual({ schemas: [activated], total: 1, limit: 100, offset: 0 });
    const changes = await fixture().storage.changesSince(tenant, schemaTopic, 0, 10);
    expect(changes.map(({ id, what }) => `${what} ${id}`)).toEqual(['create vehicle@1.1', 'update vehicle@1.1']);
  });

  test('accepts the same version again and rejects it with other fields', async () => {
    const { register, list } = open();
    await register('1.1', queries);
    const again = { made_date: { type: 'date' }, ...plate };
    expect(await register('1.1', again)).toMatchObject({ schema: { version: '1.1' }, created: false });
    expect(await register('1.1', plate)).toMatchObject({ code: 'CONFLICT', details: { active_version: '1.0' } });
    expect(await register('1.1', { ...queries, plate: { type: 'string' } })).toMatchObject({ code: 'CONFLICT' });
    expect(await list()).toMatchObject({ schemas: [{ version: '1.1', fields: queries }], total: 1 });
  });

  test('[TR37] the first version of an unregistered type is the open one without fields', async () => {
    const { register } = open();
    expect(await register('1.0', plate)).toMatchObject({ code: 'CONFLICT' });
    expect(await register('1.0', {})).toMatchObject({ schema: { is_active: true, fields: {} }, created: false });
    expect(await register('1.1', plate)).toMatchObject({ schema: { version: '1.1' }, created: true });
  });

  test('[TR37] a version is as open as the active one unless it says otherwise', async () => {
    const { tenant, activate, active } = open();
    const register = (version: string, more: object = {}) =>
      fixture().ask(tenant, 'register_entity_schema', { entity_type: 'vehicle', version, fields: plate, ...more });
    expect(await register('1.1', { open: false })).toMatchObject({ schema: { version: '1.1' }, created: true });
    await activate('1.1');
    expect((await active()).open ?? false).toBe(false);
    await register('1.2');
    await register('1.3', { open: true });
    await activate('1.2');
    expect((await active()).open ?? false).toBe(false);
    await activate('1.3');
    expect((await active()).open).toBe(true);
    expect(await register('1.3', { open: false })).toMatchObject({ code: 'CONFLICT' });
    expect(await register('1.3')).toMatchObject({ created: false });
  });

  test('a schema only grows: fields keep their types', async () => {
    const { register, activate, list } = open();
    await register('1.1', queries);
    await activate('1.1');
    expect(await register('1.2', plate)).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { lost_fields: ['made_date'], active_version: '1.1' },
    });
    expect(await register('1.2', { ...queries, plate: { type: 'number' } })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { lost_fields: ['plate'] },
    });
    expect(await register('1.0', { ...queries, x: { type: 'string' } })).toMatchObject({ code: 'CONFLICT' });
    expect(await register('0.9', queries)).toMatchObject({ code: 'VALIDATION_ERROR', details: { field: 'version' } });
    expect(listed(await list())).toEqual(['vehicle 1.1 active']);
    expect(await register('1.2', { ...queries, plate: { type: 'string', strategy: 'most_specific' } })).toMatchObject({
      created: true,
    });
  });

  test('rejects activating a version that lacks fields of the active one', async () => {
    const { register, activate, active } = open();
    await register('1.1', plate);
    await register('1.2', { wheels: { type: 'number' } });
    await activate('1.1');
    expect(await activate('1.2')).toMatchObject({ code: 'VALIDATION_ERROR', details: { lost_fields: ['plate'] } });
    expect(await active()).toMatchObject({ version: '1.1' });
    expect(await activate('1.0')).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  test('rejects activating an unregistered version', async () => {
    const { activate } = open();
    expect(await activate('1.1')).toMatchObject({ code: 'NOT_FOUND' });
    expect(await activate('7.7', 'invoice')).toMatchObject({ code: 'NOT_FOUND' });
    expect(await activate('2.0', 'invoice')).toMatchObject({
      schema: { is_builtin: true, is_active: true },
      changed: false,
    });
  });

  test('a tenant can extend a built-in type and return to the same fields', async () => {
    const one = open();
    const { fields } = builtinSchemas.get('note')!;
    const other = { ...fields, title: { type: 'string', strategy: 'most_specific' } };
    expect(await one.register('2.0', other, 'note')).toMatchObject({ code: 'CONFLICT' });
    expect(await one.register('2.1', plate, 'note')).toMatchObject({ code: 'VALIDATION_ERROR' });
    await one.register('2.1', other, 'note');
    await one.activate('2.1', 'note');
    expect(await one.active('note')).toMatchObject({ version: '2.1', fields: other });
    expect(await open().active('note')).toBe(builtinSchemas.get('note'));
    expect(listed(await one.list({ entity_type: 'note' }))).toEqual(['note 2.0', 'note 2.1 active']);
    expect(await one.activate('2.0', 'note')).toMatchObject({ previous_version: '2.1', changed: true });
    expect(await one.active('note')).toBe(builtinSchemas.get('note'));
  });

  test("keeps a tenant's version when a later release has a built-in one with the same number", async () => {
    const { tenant, activate, active, list } = open();
    const fields = { ...builtinSchemas.get('note')!.fields, mood: { type: 'string' } };
    const definition = canonicalJson({ entity_type: 'note', version: '2.0', fields });
    await fixture().storage.write(createCall(tenant), function* (db) {
      yield* insertSchema(db, { entity_type: 'note', version: '2.0', definition });
      yield* db.changed(schemaTopic, 'note@2.0', 'create', definition.slice(0, 8));
    });
    expect(listed(await list({ entity_type: 'note' }))).toEqual(['note 2.0']);
    expect(await activate('2.0', 'note')).toMatchObject({ schema: { is_builtin: false, fields }, changed: true });
    expect(await active('note')).toEqual({ entity_type: 'note', version: '2.0', fields });
    expect(listed(await list({ entity_type: 'note' }))).toEqual(['note 2.0 active']);
  });

  test('reads the active schemas of several types together', async () => {
    const { tenant, register, activate } = open();
    await register('1.1', plate);
    await activate('1.1');
    await register('1.1', plate, 'boat');
    const ask = (types: readonly string[]) =>
      fixture().storage.read(createCall(tenant), (db) => fixture().schemas.activeOf(db, types));
    const found = await ask(['vehicle', 'note', 'boat', 'vehicle']);
    expect([...found].map(([type, { version, fields }]) => [type, version, Object.keys(fields).length])).toEqual([
      ['vehicle', '1.1', 1],
      ['note', '2.0', 6],
      ['boat', '1.0', 0],
    ]);
    expect((await ask(['vehicle'])).get('vehicle')).toEqual(found.get('vehicle'));
    expect((await ask([])).size).toBe(0);
  });

  test('reads the active schemas of a payload with one query, no matter how many the tenant has', async () => {
    const { tenant, register, activate } = open();
    await register('1.1', plate);
    await activate('1.1');
    const count = (types: readonly string[]) =>
      fixture().storage.read(createCall(tenant), function* (db): Work<number> {
        let questions = 0;
        const counting = {
          ...db,
          get: <Row>(query: Parameters<typeof db.get<Row>>[0]) => {
            questions += 1;
            return db.get<Row>(query);
          },
          all: <Row>(query: Parameters<typeof db.all<Row>>[0]) => {
            questions += 1;
            return db.all<Row>(query);
          },
        };
        yield* fixture().schemas.activeOf(counting, types);
        return questions;
      });
    expect([await count(['vehicle', 'invoice', 'company']), await count(['invoice']), await count([])]).toEqual([
      1, 1, 0,
    ]);
  });

  test('lists all types by name and version, page by page', async () => {
    const { register, list } = open();
    for (const version of ['1.10', '1.9', '2.0']) await register(version, plate, 'car');
    const all = listed(await list({}));
    expect(all.slice(0, 5)).toEqual(['car 1.9', 'car 1.10', 'car 2.0', 'company 2.0 active', 'contract 2.0 active']);
    expect(all).toHaveLength(builtinSchemas.size + 3);
    const page = await list({ limit: 2, offset: 1 });
    expect(listed(page)).toEqual(['car 1.10', 'car 2.0']);
    expect(page).toMatchObject({ total: builtinSchemas.size + 3, limit: 2, offset: 1 });
    expect((page['schemas'] as object[])[0]).not.toHaveProperty('fields');
    expect(await list({ entity_type: 'unheard_of' })).toMatchObject({ schemas: [], total: 0 });
  });

  test('[TR28] hides schemas from other tenants', async () => {
    const one = open();
    await one.register('1.1', plate);
    const two = open();
    expect(await two.activate('1.1')).toMatchObject({ code: 'NOT_FOUND' });
    expect(await two.list()).toMatchObject({ total: 0 });
  });

  test('accepts a field called __proto__ or constructor', async () => {
    const { register, activate, active, list } = open();
    const fields = JSON.parse('{"__proto__": {"type": "string"}, "constructor": {"type": "date"}}') as object;
    const answer = await register('1.1', fields);
    expect(JSON.stringify(answer['schema'])).toContain('"__proto__":{"type":"string"}');
    await activate('1.1');
    expect(Object.keys((await active()).fields)).toEqual(['__proto__', 'constructor']);
    expect(JSON.stringify(await list())).toContain('"__proto__":{"type":"string"}');
    const worse = JSON.parse('{"__proto__": {"type": "strange"}}') as object;
    expect(await register('1.2', worse)).toMatchObject({ code: 'INVALID_PARAMS' });
  });

  test.each<[string, object]>([
    ['an unknown type of field', { fields: { a: { type: 'money' } } }],
    ['an unknown strategy', { fields: { a: { type: 'string', strategy: 'vote' } } }],
    ['an unknown tie breaker', { fields: { a: { type: 'string', tie_breaker: 'luck' } } }],
    ['an unknown member', { fields: { a: { type: 'string', unique: true } } }],
    ['a field without a name', { fields: { '': { type: 'string' } } }],
    ['a field with a bad name', { fields: { 'a b': { type: 'string' } } }],
    ['fields that are a list', { fields: [] }],
    ['no fields', { fields: undefined }],
    ['a bad type', { entity_type: 'Vehicle' }],
    ['an invalid version', { version: '1' }],
    ['a version written in two ways', { version: '01.0' }],
    [
      'too many fields',
      { fields: Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`f${i}`, { type: 'string' }])) },
    ],
  ])('rejects %s and stores nothing', async (_, part) => {
    const { tenant, list } = open();
    const args = { entity_type: 'vehicle', version: '1.1', fields: plate, ...part };
    expect(await fixture().ask(tenant, 'register_entity_schema', args)).toMatchObject({ code: 'INVALID_PARAMS' });
    expect(await list({})).toMatchObject({ total: builtinSchemas.size });
  });

  test('limits the size of a version and the number of versions per type', async () => {
    const { register, list } = open();
    const described = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, i) => [`f${i}`, { type: 'string', description: 'x'.repeat(500) }]),
      );
    expect(await register('1.1', described(70))).toMatchObject({ code: 'RESOURCE_LIMIT' });
    for (let i = 1; i <= truthLimits.typeVersionsCount; i += 1) {
      expect(await register(`1.${i}`, plate)).toMatchObject({ created: true });
    }
    expect(await register('2.0', plate)).toMatchObject({ code: 'RESOURCE_LIMIT' });
    expect(await register('2.0', plate, 'boat')).toMatchObject({ created: true });
    expect(await list()).toMatchObject({ total: truthLimits.typeVersionsCount });
  });

  test('keeps one active version under concurrent registrations and activations', async () => {
    const { register, activate, list } = open();
    const versions = ['1.1', '1.2', '1.3', '1.4'];
    await Promise.all(versions.map((version) => register(version, plate)));
    const answers = await Promise.all(versions.map((version) => activate(version)));
    expect(answers.every(({ changed }) => changed === true)).toBe(true);
    expect(listed(await list()).filter((one) => one.endsWith('active'))).toHaveLength(1);
    const same = await Promise.all([register('1.5', queries), register('1.5', queries), register('1.5', queries)]);
    expect(same.filter(({ created }) => created === true)).toHaveLength(1);
    expect(same.filter(({ created }) => created === false)).toHaveLength(2);
  });
});
