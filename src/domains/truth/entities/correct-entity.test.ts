import { expect, test } from 'vitest';
import { codeOf, describeTruth, invoice } from '../truth.fixture.ts';
import { companyId, createEntitiesFixture } from './entities.fixture.ts';

describeTruth('a correction', (engine) => {
  test('[TR14] wins over every other source, even a later one with another strategy', async () => {
    const { ask, submit } = createEntitiesFixture(engine);
    const sent = await submit(invoice());
    const { entity_id } = sent.entities[0]!;
    const answer = await ask('correct_entity', { entity_id, fields: { amount: 9, status: 'paid' }, reason: 'seen' });
    expect(answer).toMatchObject({ entity_id, snapshot: { amount: 9, status: 'paid' }, observation_count: 2 });
    expect(answer['provenance']).toMatchObject({ amount: answer['observation_id'], status: answer['observation_id'] });
    await submit(invoice({ amount: 77 }, { extracted_at: '2026-01-01T12:00:00Z' }));
    expect(await ask('get_entity_snapshot', { entity_id })).toMatchObject({
      snapshot: { amount: 9 },
      observation_count: 3,
    });
    expect(await ask('list_observations', { entity_id })).toMatchObject({
      total: 3,
      observations: [
        { fields: { amount: 77 } },
        {
          source_kind: 'correction',
          source_priority: 1000,
          source_record_id: answer['correction_id'],
          role: 'correction',
        },
        { source_kind: 'payload', source_payload_id: sent.payload_id },
      ],
    });
  });

  test('[TR31] the later correction wins even when the clock does not advance', async () => {
    const { ask, say } = createEntitiesFixture(engine);
    await say({ company: 'Acme', stated: { address: 'a' }, source: { id: 'a' } });
    const entity_id = companyId('Acme');
    for (const address of ['1', '2', '3', '4', '5', '6']) {
      expect(await ask('correct_entity', { entity_id, fields: { address } })).toMatchObject({ snapshot: { address } });
    }
    const { observations } = await ask('list_observations', { entity_id });
    const times = (observations as readonly { readonly observed_at: string; readonly source_priority: number }[])
      .filter(({ source_priority }) => source_priority === 1_000)
      .map(({ observed_at }) => Date.parse(observed_at) - engine.clock.now());
    expect(times).toEqual([5, 4, 3, 2, 1, 0]);
  });

  test('[TR14] the later correction wins also if it begins earlier', async () => {
    const { ask, say } = createEntitiesFixture(engine);
    await say({ company: 'Acme', stated: { address: 'a' }, source: { id: 'a' } });
    const entity_id = companyId('Acme');
    await ask('correct_entity', { entity_id, fields: { address: 'from now on' } });
    engine.clock.advance(1);
    const input = { entity_id, fields: { address: 'always' }, effective_at: '2020' };
    expect(await ask('correct_entity', input)).toMatchObject({ snapshot: { address: 'always' } });
    expect(await ask('get_entity_snapshot', { entity_id, at: '2021' })).toMatchObject({
      snapshot: { address: 'always' },
    });
  });

  test('gives way to a newer empty list, now and in every later reduction', async () => {
    const { ask, submit } = createEntitiesFixture(engine);
    const { entity_id } = (await submit(invoice())).entities[0]!;
    await ask('correct_entity', { entity_id, fields: { tags: ['x'] }, until_newer: true });
    engine.clock.advance(1_000);
    const now = new Date(engine.clock.now()).toISOString();
    await submit(invoice({ tags: [] }, { extracted_at: now }));
    const { snapshot } = await ask('get_entity_snapshot', { entity_id });
    expect(snapshot).not.toHaveProperty('tags');
    expect((await ask('get_entity_snapshot', { entity_id, at: now }))['snapshot']).toEqual(snapshot);
  });

  test('stays with its entity when a merge is undone', async () => {
    const { ask, say, merge, unmerge } = createEntitiesFixture(engine);
    await say({ company: 'Acme', stated: { phone: '1' }, source: { id: 'a' } });
    await say({ company: 'Labs', stated: { phone: '2' }, source: { id: 'b' } });
    await merge('Labs', 'Acme');
    expect(await ask('correct_entity', { entity_id: companyId('Labs'), fields: { phone: '3' } })).toMatchObject({
      entity_id: companyId('Acme'),
      redirected_from: companyId('Labs'),
      snapshot: { phone: '3' },
    });
    await unmerge('Labs', 'Acme');
    const phoneOf = async (name: string) =>
      (await ask('get_entity_snapshot', { entity_id: companyId(name) }))['snapshot'] as object;
    expect([await phoneOf('Acme'), await phoneOf('Labs')]).toEqual([{ phone: '1' }, { phone: '3' }]);
  });

  test('[TR37] of a type without a schema may have any field', async () => {
    const { ask, submit } = createEntitiesFixture(engine);
    await ask('register_capability', {
      capability_id: 'me:store_boat:v1',
      primary_type: 'boat',
      hash_fields: ['name', 'length'],
      natural_key: [{ field: 'name' }],
      extract: [],
    });
    const boat = await submit({
      ...invoice({}, { extracted_at: '2026-01-01T20:00:00Z' }),
      capability_id: 'me:store_boat:v1',
      body: { name: 'Ida', length: 7 },
    });
    const { entity_id } = boat.entities[0]!;
    expect(await ask('get_entity_snapshot', { entity_id })).toMatchObject({
      snapshot: { length: 7, name: 'Ida' },
    });
    expect(await ask('correct_entity', { entity_id, fields: { length: 8, colour: 'red' } })).toMatchObject({
      snapshot: { length: 8, name: 'Ida', colour: 'red' },
    });
  });

  test.each([
    ['null', { status: null }],
    ['a field that the type does not have', { colour: 'red' }],
    ['a value of another type', { status: 7 }],
    ['a name that is none', { 'a b': 'x' }],
    ['a date that is none', { due_date: '2025-02-30' }],
    ['one good field and a bad one', { status: 'b', colour: 'red' }],
    ['no field', {}],
    ['a list', ['status']],
    ['too much', { status: 'x'.repeat(1024 * 1024) }],
  ])('rejects %s and writes nothing', async (_what, fields) => {
    const { ask, submit } = createEntitiesFixture(engine);
    const { entity_id } = (await submit(invoice())).entities[0]!;
    const before = await ask('get_entity_snapshot', { entity_id });
    const answer = await ask('correct_entity', { entity_id, fields });
    expect(codeOf(answer)).toBe('VALIDATION_ERROR');
    expect(await ask('get_entity_snapshot', { entity_id })).toEqual(before);
    expect(await ask('list_observations', { entity_id })).toMatchObject({ total: 1 });
  });

  test('names the known fields when it rejects one', async () => {
    const { ask, submit } = createEntitiesFixture(engine);
    const { entity_id } = (await submit(invoice())).entities[0]!;
    const answer = await ask('correct_entity', { entity_id, fields: { staus: 'b' } });
    expect((answer['error'] as { message: string }).message).toContain('status');
  });
});
