import { expect, test } from 'vitest';
import { codeOf, describeTruth, invoice } from '../truth.fixture.ts';
import { companyId, createEntitiesFixture } from './entities.fixture.ts';

const day = (n: number) => Date.UTC(2025, 0, n);
const iso = (ms: number) => new Date(ms).toISOString();

describeTruth('entity snapshot', (engine) => {
  test('has the documented shape, with the provenance of each field', async () => {
    const { ask } = createEntitiesFixture(engine);
    const answer = await ask('submit_payload', invoice({ vendor_address: '1 Main St', vendor_phone: { home: 7 } }));
    const [own, vendor] = answer['entities'] as { entity_id: string; observation_id: string }[];
    expect(await ask('get_entity_snapshot', { entity_id: vendor!.entity_id })).toEqual({
      entity_id: companyId('Acme'),
      entity_type: 'company',
      schema_version: '2.0',
      snapshot: { address: '1 Main St', name: 'Acme Corp' },
      provenance: { address: vendor!.observation_id, name: vendor!.observation_id },
      provenance_all: { address: [vendor!.observation_id], name: [vendor!.observation_id] },
      computed_at: iso(engine.clock.now()),
      observation_count: 1,
      last_observation_at: '2025-01-15T10:30:00.000Z',
      raw_fragments: { phone: { home: 7 } },
    });
    expect(await ask('get_entity_snapshot', { entity_id: own!.entity_id })).toMatchObject({
      entity_type: 'invoice',
      snapshot: { amount: 1500, invoice_number: 'INV-001' },
    });
  });

  test('returns the same object while nothing changes, and a new one immediately after a change', async () => {
    const { entities, say, call } = createEntitiesFixture(engine);
    await say({ company: 'Acme', stated: { address: 'old' }, source: { id: 'a' } });
    await say({ company: 'Other', stated: { address: 'other' }, source: { id: 'a' } });
    const ask = async () => entities.snapshot({ entity_id: companyId('Acme') }, call());
    const first = await ask();
    if (engine.kind === 'sqlite') {
      expect(await ask()).toBe(first);
      // A cached answer is not a promise.
      expect(entities.snapshot({ entity_id: companyId('Acme') }, call())).toBe(first);
    }
    await say({ company: 'Other', stated: { address: 'other still' }, source: { id: 'b' } });
    if (engine.kind === 'sqlite') expect(await ask()).toBe(first);
    engine.clock.advance(1);
    await say({ company: 'Acme', stated: { address: 'new' }, source: { id: 'b' } });
    expect((await ask()).snapshot).toEqual({ address: 'new' });
  });

  test('sees the writes of another process', async () => {
    const here = createEntitiesFixture(engine);
    const there = createEntitiesFixture(engine, await engine.openOther(), here.tenant);
    const entity_id = companyId('Acme');
    await here.say({ company: 'Acme', stated: { address: 'old' }, source: { id: 'a' } });
    expect(await there.ask('get_entity_snapshot', { entity_id })).toMatchObject({ snapshot: { address: 'old' } });
    await here.ask('correct_entity', { entity_id, fields: { address: 'new' } });
    expect(await there.ask('get_entity_snapshot', { entity_id })).toMatchObject({ snapshot: { address: 'new' } });
  });

  test('[TR10] shows what an open version accepted as raw fragments of a closed one', async () => {
    const { ask, say } = createEntitiesFixture(engine);
    const entity_id = companyId('Acme');
    await say({ company: 'Acme', stated: { colour: 'red', address: 'a' }, source: { id: 'a', observedAt: day(1) } });
    await say({ company: 'Acme', stated: { colour: 'blue' }, source: { id: 'b', observedAt: day(2) } });
    const show = async () => {
      const { snapshot, raw_fragments } = await ask('get_entity_snapshot', { entity_id });
      return { snapshot, raw_fragments };
    };
    expect(await show()).toEqual({ snapshot: { address: 'a', colour: 'blue' }, raw_fragments: undefined });
    const { fields } = (
      (await ask('list_entity_schemas', { entity_type: 'company' }))['schemas'] as { fields: object }[]
    )[0]!;
    const change = async (version: string, open: boolean) => {
      const schema = { entity_type: 'company', version, fields, open };
      expect(codeOf(await ask('register_entity_schema', schema))).toBeUndefined();
      expect(codeOf(await ask('activate_entity_schema', { entity_type: 'company', version }))).toBeUndefined();
    };
    await change('2.1', false);
    expect(await show()).toEqual({ snapshot: { address: 'a' }, raw_fragments: { colour: 'blue' } });
    await change('2.2', true);
    expect(await show()).toEqual({ snapshot: { address: 'a', colour: 'blue' }, raw_fragments: undefined });
  });

  test('[TR17] is reduced again when another schema version is active', async () => {
    const { ask, submit } = createEntitiesFixture(engine);
    const { entity_id, observation_id } = (await submit(invoice({ colour: 'red' }))).entities[0]!;
    const before = await ask('get_entity_snapshot', { entity_id });
    expect(before).toMatchObject({ schema_version: '2.0', raw_fragments: { colour: 'red' } });
    const { fields } = (
      (await ask('list_entity_schemas', { entity_type: 'invoice' }))['schemas'] as { fields: object }[]
    )[0]!;
    const schema = { entity_type: 'invoice', version: '2.1', fields: { ...fields, colour: { type: 'string' } } };
    expect(codeOf(await ask('register_entity_schema', schema))).toBeUndefined();
    expect(codeOf(await ask('activate_entity_schema', { entity_type: 'invoice', version: '2.1' }))).toBeUndefined();
    const after = await ask('get_entity_snapshot', { entity_id });
    expect(after).toMatchObject({ schema_version: '2.1', provenance: { colour: observation_id } });
    expect(after).toMatchObject({ snapshot: { amount: 1500, colour: 'red' }, observation_count: 1 });
    expect(after).not.toHaveProperty('raw_fragments');
    const { entities } = await ask('retrieve_entities', { entity_type: 'invoice' });
    expect(entities).toMatchObject([{ schema_version: '2.1', snapshot: { colour: 'red' } }]);
  });

  test('[TR18] `at` selects by effective time, which is the observation time unless stated, and `as_known_at` by recording time', async () => {
    const { ask, say } = createEntitiesFixture(engine);
    const entity_id = companyId('Acme');
    await say({ company: 'Acme', stated: { address: 'third' }, source: { id: 'c', observedAt: day(3) } });
    const known = engine.clock.now();
    engine.clock.advance(1_000);
    await say({ company: 'Acme', stated: { address: 'first' }, source: { id: 'a', observedAt: day(1) } });
    const addressAt = async (moment: object) => {
      const answer = await ask('get_entity_snapshot', { entity_id, ...moment });
      return codeOf(answer) ?? [(answer['snapshot'] as { address: string }).address, answer['observation_count']];
    };
    expect(await addressAt({})).toEqual(['third', 2]);
    expect(await addressAt({ at: iso(day(1)) })).toEqual(['first', 1]);
    expect(await addressAt({ at: iso(day(1) - 1) })).toBe('ENTITY_NOT_FOUND');
    expect(await addressAt({ at: iso(day(3)) })).toEqual(['third', 2]);
    expect(await addressAt({ as_known_at: iso(known) })).toEqual(['third', 1]);
    expect(await addressAt({ as_known_at: iso(known - 1) })).toBe('ENTITY_NOT_FOUND');
    expect(await addressAt({ as_known_at: iso(known), at: iso(day(2)) })).toBe('ENTITY_NOT_FOUND');
    expect(await addressAt({ as_known_at: iso(known + 1_000), at: iso(day(2)) })).toEqual(['first', 1]);
  });

  test('[TR20] redirects to the root after a merge, and back after an unmerge', async () => {
    const { ask, say, merge, unmerge } = createEntitiesFixture(engine);
    await say({ company: 'Acme', stated: { address: 'a', email: { a: 1 } }, source: { id: 'a', observedAt: day(1) } });
    await say({
      company: 'Acme Labs',
      stated: { phone: '1', website: { b: 7 } },
      source: { id: 'b', observedAt: day(2) },
    });
    const alone = await ask('get_entity_snapshot', { entity_id: companyId('Acme Labs') });
    const before = engine.clock.now();
    engine.clock.advance(10);
    expect(codeOf(await merge('Acme Labs', 'Acme'))).toBeUndefined();
    const both = await ask('get_entity_snapshot', { entity_id: companyId('Acme') });
    expect(both).toMatchObject({ snapshot: { address: 'a', phone: '1' }, observation_count: 2 });
    expect(both).toMatchObject({ raw_fragments: { email: { a: 1 }, website: { b: 7 } } });
    expect(await ask('get_entity_snapshot', { entity_id: companyId('Acme Labs') })).toEqual({
      ...both,
      redirected_from: companyId('Acme Labs'),
    });
    const known = { entity_id: companyId('Acme Labs'), as_known_at: iso(before) };
    expect(await ask('get_entity_snapshot', known)).toEqual(alone);
    expect(await ask('get_entity_snapshot', { ...known, as_known_at: iso(engine.clock.now()) })).toEqual({
      ...both,
      redirected_from: companyId('Acme Labs'),
    });
    await say({ company: 'Acme Labs', stated: { country: 'NL' }, source: { id: 'c' } });
    expect(await ask('get_entity_snapshot', { entity_id: companyId('Acme') })).toMatchObject({
      snapshot: { country: 'NL' },
    });
    engine.clock.advance(10);
    const merged = iso(engine.clock.now() - 1);
    await unmerge('Acme Labs', 'Acme');
    const apart = await ask('get_entity_snapshot', { entity_id: companyId('Acme Labs') });
    expect(apart).toMatchObject({ snapshot: { country: 'NL', phone: '1' }, observation_count: 2 });
    expect(apart).not.toHaveProperty('redirected_from');
    expect(await ask('get_entity_snapshot', { ...known, as_known_at: merged })).toMatchObject({
      redirected_from: companyId('Acme Labs'),
      observation_count: 3,
    });
  });

  test('does not find an entity of another tenant', async () => {
    const { say, as } = createEntitiesFixture(engine);
    await say({ company: 'Acme', stated: { address: 'a' }, source: { id: 'a' } });
    const other = as(engine.newTenant());
    const entity_id = companyId('Acme');
    const field = 'address';
    for (const [name, args] of [
      ['get_entity_snapshot', { entity_id }],
      ['get_entity_snapshot', { entity_id, at: '2025-06-01T00:00:00Z' }],
      ['list_observations', { entity_id }],
      ['get_field_provenance', { entity_id, field }],
      ['get_field_history', { entity_id, field }],
      ['correct_entity', { entity_id, fields: { address: 'mine' } }],
    ] as const) {
      expect([name, codeOf(await other.ask(name, args))]).toEqual([name, 'ENTITY_NOT_FOUND']);
    }
    expect(await other.ask('retrieve_entities')).toMatchObject({ entities: [], total: 0 });
    expect(await other.ask('get_entity_by_identifier', { identifier: entity_id })).toEqual({ entities: [], total: 0 });
    expect(await other.ask('list_timeline_events')).toEqual({ events: [], total: 0 });
  });

  test.each([
    ['no id', {}],
    ['an id of another form', { entity_id: 'acme' }],
    ['a moment that is none', { entity_id: 'ent_1', at: 'yesterday' }],
    ['a moment without a zone', { entity_id: 'ent_1', at: '2025-01-01T00:00:00' }],
    ['a day that is not in the calendar', { entity_id: 'ent_1', as_known_at: '2025-02-30T00:00:00Z' }],
    ['a future knowledge', { entity_id: 'ent_1', as_known_at: '2999-01-01T00:00:00Z' }],
    ['an unknown argument', { entity_id: 'ent_1', when: 'now' }],
  ])('rejects %s', async (_what, args) => {
    const { ask } = createEntitiesFixture(engine);
    expect(codeOf(await ask('get_entity_snapshot', args))).toBe('VALIDATION_ERROR');
  });

  test('answers ENTITY_NOT_FOUND for an unknown id', async () => {
    const { ask } = createEntitiesFixture(engine);
    expect(codeOf(await ask('get_entity_snapshot', { entity_id: 'ent_1' }))).toBe('ENTITY_NOT_FOUND');
  });

  test('shows all of what was recorded by a clock that is ahead', async () => {
    const { ask, submit } = createEntitiesFixture(engine);
    const now = new Date(engine.clock.now()).toISOString();
    const first = (await submit(invoice())).entities[0]!;
    // The next write must not change this answer, so it is recorded one millisecond later than the clock says.
    await ask('get_entity_snapshot', { entity_id: first.entity_id, as_known_at: now });
    const later = new Date(engine.clock.now() + 1_000).toISOString();
    const { entity_id } = (await submit(invoice({ invoice_number: '2', colour: 'red' }, { extracted_at: later })))
      .entities[0]!;
    expect(await ask('get_entity_snapshot', { entity_id })).toMatchObject({
      snapshot: { invoice_number: '2' },
      raw_fragments: { colour: 'red' },
    });
  });
});
