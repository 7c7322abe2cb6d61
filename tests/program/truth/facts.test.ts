import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Failure, type Json, openTruth, type TruthProgram } from './truth-program.fixture.ts';

interface Stored {
  readonly entity_id: string;
  readonly submission_id: string;
  readonly created: boolean;
  readonly changes: readonly Json[];
}

interface Shown {
  readonly snapshot: Json;
  readonly relations?: readonly { readonly type: string; readonly name: string }[];
}

const person = (name: string) => ({ type: 'person', name });
const company = (name: string) => ({ type: 'company', name });

describe.each(engines)('facts on %s', (engine) => {
  let program: TruthProgram;
  beforeAll(async () => {
    program = await openTruth(engine);
  });
  afterAll(() => program?.close());

  const store = (fact: Json) => program.call<Stored>('store_fact', fact);
  const shown = (entity_id: string, more: Json = {}) =>
    program.call<Shown>('get_entity_snapshot', { entity_id, ...more });

  it('a day of an agent: a fact, its update, its end, a mistake taken back', async () => {
    const first = await store({ subject: person('Dana Fox'), fields: { role: 'engineer' }, effective_at: '2025-02' });
    expect(first).toMatchObject({ created: true, changes: [{ field: 'name' }, { field: 'role', after: 'engineer' }] });
    const { entity_id } = first;
    expect(await store({ entity_id, fields: { role: 'lead' }, effective_at: '2026-01' })).toMatchObject({
      created: false,
      changes: [{ field: 'role', before: 'engineer', after: 'lead' }],
    });
    expect((await shown(entity_id, { at: '2025-12-31' })).snapshot['role']).toBe('engineer');
    expect(await store({ entity_id, ended: ['role'], effective_at: '2026-06' })).toMatchObject({
      changes: [{ field: 'role', before: 'lead' }],
    });
    expect((await shown(entity_id)).snapshot).toEqual({ name: 'Dana Fox' });
    const wrong = await store({ entity_id, fields: { role: 'juggler' } });
    expect((await shown(entity_id)).snapshot['role']).toBe('juggler');
    await program.call('retract_statement', { id: wrong.submission_id, reason: 'another Dana' });
    expect((await shown(entity_id)).snapshot).toEqual({ name: 'Dana Fox' });
    expect((await shown(entity_id, { at: '2026-03' })).snapshot['role']).toBe('lead');
  });

  it('a name that a fact introduces is known since the fact begins, and does not end with it', async () => {
    const fields = { job: 'intern' };
    const { entity_id } = await store({
      ...{ subject: person('Eli Roth'), fields, effective_at: '2020', effective_until: '2021' },
      relations: [{ type: 'works at', to: company('Stark'), effective_at: '2019' }],
    });
    expect((await shown(entity_id, { at: '2020-06' })).snapshot).toEqual({ name: 'Eli Roth', ...fields });
    expect((await shown(entity_id)).snapshot).toEqual({ name: 'Eli Roth' });
    const early = await shown(entity_id, { at: '2019-06', include_relations: true });
    expect(early.snapshot).toEqual({ name: 'Eli Roth' });
    expect(early.relations).toMatchObject([{ type: 'WORKS_AT', direction: 'outbound', name: 'stark' }]);
    const { message, details } = await program.fail('get_entity_snapshot', { entity_id, at: '2018' });
    expect(message).toContain('known from 2019-01-01');
    expect(details).toMatchObject({ known_from: '2019-01-01T00:00:00.000Z' });
  });

  it('an entity of the future is known now', async () => {
    const { entity_id } = await store({ subject: person('Finn'), fields: { role: 'cook' }, effective_at: '2999' });
    expect((await shown(entity_id)).snapshot).toEqual({ name: 'Finn' });
    expect((await shown(entity_id, { at: '2999-01-02' })).snapshot).toEqual({ name: 'Finn', role: 'cook' });
  });

  it('accepts a time in each form, and shows what was stated', async () => {
    for (const [given, shownAs] of [
      ['2024', '2024'],
      ['2024-05', '2024-05'],
      ['2024-05-06', '2024-05-06'],
      ['2024-05-06T07:08:09Z', '2024-05-06T07:08:09.000Z'],
      ['2024-05-06T09:08:09.500+02:00', '2024-05-06T07:08:09.500Z'],
    ] as const) {
      const answer = await store({ subject: person(`At ${given}`), fields: { role: 'x' }, effective_at: given });
      expect(answer).toMatchObject({ effective_at: shownAs });
    }
  });

  const nowhere = `ent_${'0'.repeat(24)}`;
  const alan = { subject: person('Alan') };
  const relations = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ type: 'MEMBER_OF', to: { type: 'team', name: `Team ${i}` } }));
  /** The code is VALIDATION_ERROR unless another one is given. */
  const refused: readonly (readonly [string, Json, string, string?])[] = [
    [
      'an end before the start',
      { ...alan, fields: { a: 1 }, effective_at: '2026', effective_until: '2025' },
      'effective_until',
    ],
    ['an end before now', { ...alan, fields: { a: 1 }, effective_until: '2020' }, 'effective_until'],
    [
      'a relation that ends first',
      { ...alan, relations: [{ type: 'WORKS_AT', to: company('X'), effective_at: '2026', effective_until: '2025' }] },
      'effective_until',
    ],
    ['a relation to nowhere', { ...alan, relations: [{ type: 'WORKS_AT', to: nowhere }] }, 'to', 'ENTITY_NOT_FOUND'],
    ['a relation to a plain name', { ...alan, relations: [{ type: 'WORKS_AT', to: 'Acme' }] }, '{type, name'],
    [
      'an unknown relation',
      { ...alan, relations: [{ type: 'EATS', to: company('X') }] },
      'WORKS_AT',
      'INVALID_RELATIONSHIP_TYPE',
    ],
    ['an end of what was never stated', { ...alan, ended: ['role'] }, 'role'],
    ['a field that both has a value and ends', { ...alan, fields: { role: 'a' }, ended: ['role'] }, 'role'],
    ['an unknown entity', { entity_id: nowhere, fields: { a: 1 } }, 'entity', 'ENTITY_NOT_FOUND'],
    ['neither a subject nor an id', { fields: { a: 1 } }, 'subject'],
    ['both a subject and an id', { ...alan, entity_id: nowhere, fields: { a: 1 } }, 'subject'],
    ['a name of 64 KB', { subject: person('n'.repeat(65_536)) }, 'name'],
    ['1,000 relations', { ...alan, relations: relations(1_000) }, 'relations'],
    ['a time in words', { ...alan, fields: { a: 1 }, effective_at: 'last May' }, 'effective_at'],
    ['a day that does not exist', { ...alan, fields: { a: 1 }, effective_at: '2026-02-30' }, 'effective_at'],
    ['an American date', { ...alan, fields: { a: 1 }, effective_at: '05/06/2026' }, 'effective_at'],
  ];

  it.each(refused.map(([what, fact, says, code]) => ({ what, fact, says, code })))(
    'refuses $what, and changes nothing',
    async ({ fact, says, code = 'VALIDATION_ERROR' }) => {
      const failure: Failure = await program.fail('store_fact', fact);
      expect(failure.code).toBe(code);
      expect(JSON.stringify(failure)).toContain(says);
      expect(
        await program.call('get_entity_by_identifier', { identifier: 'Alan', entity_type: 'person' }),
      ).toMatchObject({
        entities: [],
      });
    },
  );

  it('stores nothing of a fact whose last relation is refused', async () => {
    const given = [...relations(3), { type: 'MEMBER_OF', to: nowhere }];
    await program.fail('store_fact', { subject: person('Gil'), relations: given });
    for (const identifier of ['Gil', 'Team 0']) {
      expect(await program.call('get_entity_by_identifier', { identifier })).toMatchObject({ entities: [] });
    }
  });

  it('stores 100 relations in one call', async () => {
    const { entity_id } = await store({ subject: person('Hub'), relations: relations(100) });
    expect(await program.call('list_relationships', { entity_id, limit: 1 })).toMatchObject({ total: 100 });
    const snapshot = await program.call('get_entity_snapshot', { entity_id, include_relations: true });
    expect(snapshot).toMatchObject({ relations: { length: 20 }, relations_truncated: true });
  });

  it('refuses to retract or correct what does not exist', async () => {
    const unknown = 'sub_00000000-0000-7000-8000-000000000000';
    expect((await program.fail('retract_statement', { id: unknown })).code).toBe('NOT_FOUND');
    expect((await program.fail('correct_entity', { entity_id: nowhere, fields: { a: 1 } })).code).toBe(
      'ENTITY_NOT_FOUND',
    );
  });
});
