import { expect, test } from 'vitest';
import type { GivenPeriod } from '../observations/effective-time.ts';
import { allEntities } from '../observations/table-rows.fixture.ts';
import { codeOf, describeTruth, invoice } from '../truth.fixture.ts';
import { companyId, createEntitiesFixture } from './entities.fixture.ts';

const byJson = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

const iso = (ms: number) => new Date(ms).toISOString();

describeTruth('[TR41] effective times', (engine) => {
  const entity_id = companyId('Acme');
  const open = () => {
    const one = createEntitiesFixture(engine);
    let count = 0;
    return {
      ...one,
      state(address: string, period: Partial<GivenPeriod> = {}, company = 'Acme') {
        count += 1;
        const source = { id: `s${count}`, period: { effectiveUntil: null, ...period } };
        return one.say({ company, stated: { address }, source });
      },
      async addressAt(moment: object = {}, id = entity_id) {
        const answer = await one.ask('get_entity_snapshot', { entity_id: id, ...moment });
        return codeOf(answer) ?? (answer['snapshot'] as { readonly address?: string }).address ?? null;
      },
      async listed(id = entity_id) {
        const { entities } = await one.ask('retrieve_entities', { entity_type: 'company' });
        const found = (entities as { entity_id: string; snapshot: { address?: string } }[]).find(
          (each) => each.entity_id === id,
        );
        return found?.snapshot.address ?? null;
      },
    };
  };

  test('stated today, moved in May: April answers the old company', async () => {
    const { submit, ask } = createEntitiesFixture(engine);
    await ask('register_capability', {
      ...{ capability_id: 'me:store_person:v1', primary_type: 'person', hash_fields: ['name', 'company'] },
      ...{ natural_key: [{ field: 'name' }], extract: [] },
    });
    const state = (company: string, effective_at: string) =>
      submit({
        ...invoice({}, { extracted_at: iso(engine.clock.now()) }),
        ...{ capability_id: 'me:store_person:v1', body: { name: 'Sarah Lee', company }, effective_at },
      });
    // In the other order, so that the time of recording cannot decide.
    const person = (await state('Globex', '2025-05')).entities[0]!.entity_id;
    await state('Acme', '2024-01');
    const companyAt = async (moment: object) =>
      ((await ask('get_entity_snapshot', { entity_id: person, ...moment }))['snapshot'] as { company: string }).company;
    expect(await companyAt({})).toBe('Globex');
    expect(await companyAt({ at: '2025-04' })).toBe('Acme');
    expect(await companyAt({ at: '2025-04-30' })).toBe('Acme');
    expect(await companyAt({ at: '2025-05-01' })).toBe('Globex');
    expect(await companyAt({ at: '2024' })).toBe('Acme');
    expect(codeOf(await ask('get_entity_snapshot', { entity_id: person, at: '2023' }))).toBe('ENTITY_NOT_FOUND');
  });

  test('without a stated time, a fact holds from the earlier of reading and recording', async () => {
    const { say, read, ask } = createEntitiesFixture(engine);
    const now = engine.clock.now();
    await say({ company: 'Acme', stated: { address: 'a' }, source: { id: 'a', observedAt: now - 5_000 } });
    await say({ company: 'Labs', stated: { address: 'b' }, source: { id: 'b', observedAt: now + 5_000 } });
    const rows = await read(function* (db) {
      return yield* allEntities(db);
    });
    expect(rows.map(({ next_change_at }) => next_change_at)).toEqual([null, null]);
    const codeAt = async (company: string, at: number) =>
      codeOf(await ask('get_entity_snapshot', { entity_id: companyId(company), at: iso(at) }));
    expect([await codeAt('Acme', now - 5_000), await codeAt('Acme', now - 5_001)]).toEqual([
      undefined,
      'ENTITY_NOT_FOUND',
    ]);
    expect([await codeAt('Labs', now), await codeAt('Labs', now - 1)]).toEqual([undefined, 'ENTITY_NOT_FOUND']);
  });

  test('a fact holds from its start until just before its end', async () => {
    const { state, addressAt } = open();
    const [from, until] = [Date.UTC(2025, 2, 1), Date.UTC(2025, 3, 1)];
    await state('always', { effectiveAt: 0 });
    await state('March', { effectiveAt: from, effectiveUntil: until });
    expect(await addressAt()).toBe('always');
    expect(await addressAt({ at: '2025-03' })).toBe('March');
    for (const [at, address] of [
      [from - 1, 'always'],
      [from, 'March'],
      [until - 1, 'March'],
      [until, 'always'],
    ] as const) {
      expect([at, await addressAt({ at: iso(at) })]).toEqual([at, address]);
    }
  });

  test('shows the precision that was stated', async () => {
    const { submit, ask } = createEntitiesFixture(engine);
    const given = { ...invoice(), effective_at: '2024-05', effective_until: '2030' };
    const { entity_id: id } = (await submit(given)).entities[0]!;
    const { observations } = await ask('list_observations', { entity_id: id });
    expect(observations).toMatchObject([{ effective_at: '2024-05', effective_until: '2030' }]);
  });

  test('a fact that ends before it begins is refused', async () => {
    const { submit, ask } = createEntitiesFixture(engine);
    const { entity_id: id } = (await submit(invoice())).entities[0]!;
    const fields = { status: 'paid' };
    for (const period of [
      { effective_at: '2025-05', effective_until: '2025-04' },
      { effective_at: '2025-05', effective_until: '2025-05' },
      { effective_until: '2025-05' },
    ]) {
      expect(codeOf(await ask('correct_entity', { entity_id: id, fields, ...period }))).toBe('VALIDATION_ERROR');
    }
    expect(await ask('list_observations', { entity_id: id })).toMatchObject({ total: 1 });
  });

  test('a fact in the future is not shown now, and `at` may lie in the future', async () => {
    const { state, addressAt } = open();
    const start = engine.clock.now() + 86_400_000;
    await state('now');
    await state('tomorrow', { effectiveAt: start });
    expect(await addressAt()).toBe('now');
    expect(await addressAt({ at: iso(start - 1) })).toBe('now');
    expect(await addressAt({ at: iso(start) })).toBe('tomorrow');
    expect(await addressAt({ at: '2999' })).toBe('tomorrow');
    expect(await addressAt({ as_known_at: iso(start) })).toBe('VALIDATION_ERROR');
  });

  test('an entity that is known only from a future time has an empty snapshot until then', async () => {
    const { state, addressAt, listed } = open();
    await state('later', { effectiveAt: engine.clock.now() + 1_000 });
    expect([await addressAt(), await listed()]).toEqual([null, null]);
    engine.clock.advance(1_000);
    expect([await addressAt(), await listed()]).toEqual(['later', 'later']);
  });

  test('[TR42] a stored state changes by itself when a statement begins or ends', async () => {
    const { state, addressAt, listed, read } = open();
    const now = engine.clock.now();
    await state('old');
    await state('new', { effectiveAt: now + 2_000, effectiveUntil: now + 4_000 });
    const [row] = await read((db) => allEntities(db));
    expect(row!.next_change_at).toBe(now + 2_000);
    const seen = async () => [await addressAt(), await addressAt(), await listed()];
    expect(await seen()).toEqual(['old', 'old', 'old']);
    engine.clock.advance(1_999);
    expect(await seen()).toEqual(['old', 'old', 'old']);
    engine.clock.advance(1);
    expect(await seen()).toEqual(['new', 'new', 'new']);
    engine.clock.advance(1_999);
    expect(await seen()).toEqual(['new', 'new', 'new']);
    engine.clock.advance(1);
    expect(await seen()).toEqual(['old', 'old', 'old']);
  });

  test('[TR42] the next write stores the new state and its next change', async () => {
    const { state, addressAt, say, read } = open();
    const now = engine.clock.now();
    await state('old');
    await state('new', { effectiveAt: now + 1_000, effectiveUntil: now + 9_000 });
    engine.clock.advance(2_000);
    await say({ company: 'Acme', stated: { phone: '1' }, source: { id: 'phone' } });
    const [row] = await read((db) => allEntities(db));
    expect([row!.next_change_at, row!.state.includes('"new"')]).toEqual([now + 9_000, true]);
    expect(await addressAt()).toBe('new');
    engine.clock.advance(7_000);
    await say({ company: 'Acme', stated: { phone: '2' }, source: { id: 'another' } });
    const [after] = await read((db) => allEntities(db));
    expect([after!.next_change_at, after!.state.includes('"new"')]).toEqual([null, false]);
    expect(await addressAt()).toBe('old');
  });

  test('[TR42] several entities of one write each get their own next change', async () => {
    const { submit, read } = createEntitiesFixture(engine);
    const until = '2099';
    await submit(invoice({ invoice_number: '1' }));
    await submit({ ...invoice({ invoice_number: '2' }), effective_until: until });
    const rows = await read((db) => allEntities(db));
    const changes = rows.map(({ entity_type, next_change_at }) => [entity_type, next_change_at]);
    expect(changes.sort(byJson)).toEqual(
      [
        ['company', Date.UTC(2099, 0, 1)],
        ['company', Date.UTC(2099, 0, 1)],
        ['invoice', null],
        ['invoice', Date.UTC(2099, 0, 1)],
      ].sort(byJson),
    );
  });

  test('[TR42] the state of a merged group changes by itself too, and of its parts after an unmerge', async () => {
    const { state, addressAt, listed, merge, unmerge } = open();
    const now = engine.clock.now();
    await state('old', { effectiveAt: now - 1_000 });
    await state('part', { effectiveAt: now + 1_000, effectiveUntil: now + 3_000 }, 'Labs');
    await merge('Labs', 'Acme');
    const labs = companyId('Labs');
    const seen = async () => [await addressAt(), await addressAt({}, labs), await listed()];
    expect(await seen()).toEqual(['old', 'old', 'old']);
    engine.clock.advance(1_000);
    expect(await seen()).toEqual(['part', 'part', 'part']);
    await unmerge('Labs', 'Acme');
    expect([await addressAt(), await addressAt({}, labs)]).toEqual(['old', 'part']);
    await merge('Labs', 'Acme');
    engine.clock.advance(2_000);
    expect(await seen()).toEqual(['old', 'old', 'old']);
    await unmerge('Labs', 'Acme');
    expect([await addressAt(), await addressAt({}, labs)]).toEqual(['old', null]);
  });

  test('[TR42] the change of a part reaches the state of its group', async () => {
    const { state, addressAt, merge } = open();
    await state('old');
    await state('labs', { effectiveAt: 0 }, 'Labs');
    await merge('Labs', 'Acme');
    const start = engine.clock.now() + 5_000;
    await state('soon', { effectiveAt: start }, 'Labs');
    expect(await addressAt()).toBe('old');
    engine.clock.advance(5_000);
    expect(await addressAt()).toBe('soon');
  });
});
