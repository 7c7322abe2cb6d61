import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Json, openTruth, type TruthProgram } from './truth-program.fixture.ts';

interface Stored {
  readonly entity_id: string;
  readonly submission_id: string;
  readonly changes: readonly Json[];
  readonly message: string;
}

interface Recalled {
  readonly facts?: readonly (Json & { readonly fields: Json; readonly relations?: readonly string[] })[];
}

interface Shown {
  readonly snapshot: Json;
  readonly raw_fragments?: Json;
  readonly upcoming?: readonly Json[];
}

const company = (name: string) => ({ type: 'company', name });

describe.each(engines)('what becomes of a fact on %s', (engine) => {
  let program: TruthProgram;
  beforeAll(async () => {
    program = await openTruth(engine);
  });
  afterAll(() => program?.close());

  const store = (fact: Json) => program.call<Stored>('store_fact', fact);
  const shown = (entity_id: string, more: Json = {}) =>
    program.call<Shown>('get_entity_snapshot', { entity_id, ...more });
  const recallFact = async (task: string, name: string, more: Json = {}) => {
    const { facts = [] } = await program.call<Recalled>('recall', { task, memories: ['truth'], ...more });
    return facts.find((fact) => String(fact['name']).toLowerCase() === name.toLowerCase());
  };
  const found = async (query: string, name: string) => {
    const { entities } = await program.call<{ entities: readonly (Json & Shown)[] }>('retrieve_entities', { query });
    return entities.find((entity) => entity['canonical_name'] === name.toLowerCase());
  };

  it.each(['contract', 'invoice', 'receipt', 'transaction', 'note'])(
    '[TR92] [CX8] a field that a documented %s does not have is named in the answer, found and shown',
    async (type) => {
      const name = `Lease of ${type}`;
      const stored = await store({ subject: { type, name }, fields: { deposit_amount_agreed: 7431 } });
      expect(stored).toMatchObject({ raw_fields: ['deposit_amount_agreed'] });
      expect(stored.message).toMatch(
        /^Recorded\. deposit_amount_agreed is kept .* not in the snapshot: .*register_entity_schema/,
      );
      const raw_fragments = { deposit_amount_agreed: 7431 };
      const snapshot = await shown(stored.entity_id);
      expect(snapshot).toMatchObject({ raw_fragments });
      expect(snapshot.snapshot).not.toHaveProperty('deposit_amount_agreed');
      expect(await found(`7431 ${type}`, name)).toMatchObject({
        raw_fragments,
        matched: expect.arrayContaining(['deposit_amount_agreed']),
      });
      expect(await recallFact(`what was agreed for the lease of ${type}?`, name)).toMatchObject({
        fields: raw_fragments,
      });
      const { entities } = await program.call<{ entities: readonly Json[] }>('retrieve_entities', {
        entity_type: type,
      });
      expect(entities.find(({ entity_id }) => entity_id === stored.entity_id)).toMatchObject({ raw_fragments });
    },
  );

  it('[TR92] names the documented field that was probably meant, and a value that does not fit', async () => {
    const rent = await store({ subject: { type: 'contract', name: 'Garage' }, fields: { rent: 90 } });
    expect(rent).toMatchObject({ did_you_mean: { rent: 'amount' } });
    expect(rent.message).toContain('send rent as amount');
    const price = await store({ subject: { type: 'product', name: 'Lamp' }, fields: { price: 'ask us' } });
    expect(price).toMatchObject({ raw_fields: ['price'] });
    expect(price.message).toContain('send price as not_fitting expects');
    expect(await recallFact('what does the Lamp cost?', 'Lamp')).toMatchObject({ fields: { price: 'ask us' } });
    const plain = await store({ subject: { type: 'company', name: 'Plain Ltd' }, fields: { plan: 'gold' } });
    expect(plain).toMatchObject({ message: 'Recorded' });
    expect(plain).not.toHaveProperty('raw_fields');
  });

  it('[CX12] remember says what became of a field of a document, also in the future', async () => {
    const { entity_id } = await store({ subject: { type: 'contract', name: 'Studio rent' }, fields: { floor: 3 } });
    const answer = await program.call<{ remembered: readonly Json[] }>('remember', {
      ...{ text: 'floor: 4', about: 'Studio rent', effective_at: '2998-01-01' },
    });
    expect(answer.remembered).toMatchObject([
      {
        changes: [{ field: 'remembered', after: ['floor: 4'] }],
        changes_at: '2998-01-01',
        note: expect.stringMatching(/from 2998-01-01 on; until then nothing changes\. floor is kept/),
      },
    ]);
    expect((await shown(entity_id)).upcoming).toEqual([
      { field: 'floor', value: '4', from: '2998-01-01' },
      { field: 'remembered', value: ['floor: 4'], from: '2998-01-01' },
    ]);
  });

  it('[TR104] an older fact says which statement decides the value, and why', async () => {
    const subject = { type: 'product', name: 'Widget' };
    const { entity_id } = await store({ subject, fields: { price: '29 EUR' } });
    const older = await store({ subject, fields: { price: '35 EUR' }, effective_at: '2024-10-01' });
    expect(older).toMatchObject({
      changes: [],
      overruled: [{ field: 'price', value: '35 EUR', shown: 29, why: expect.stringContaining('without effective_at') }],
    });
    expect(older.message).toMatch(
      /price is 29, not 35 EUR: it holds since .*this one since 2024-10-01.*correct_entity/,
    );
    const remembered = await program.call<{ remembered: readonly Json[] }>('remember', {
      ...{ text: 'price: 31', about: entity_id, effective_at: '2024-11' },
    });
    expect(remembered.remembered).toMatchObject([{ note: expect.stringContaining('price is 29, not 31') }]);
    await program.call('correct_entity', { entity_id, fields: { price: 28 } });
    const corrected = await store({ subject, fields: { price: 40 } });
    expect(corrected).toMatchObject({ overruled: [{ shown: 28, why: expect.stringContaining('a correction') }] });
    expect(await store({ subject, fields: { price: 28 } })).not.toHaveProperty('overruled');
  });

  it('[TR104] the end of a field that goes on is explained, and an end that is earlier than the value', async () => {
    const subject = { type: 'person', name: 'Iris' };
    await store({ subject, fields: { role: 'cook' }, effective_at: '2025-06' });
    const ended = await store({ subject, ended: ['role'], effective_at: '2025-01' });
    expect(ended).toMatchObject({ overruled: [{ field: 'role', shown: 'cook', since: '2025-06-01' }] });
    expect(ended.message).toContain('role is cook, not that it ended');
    await store({ subject, ended: ['role'], effective_at: '2025-09' });
    const late = await store({ subject, fields: { role: 'chef' }, effective_at: '2025-07' });
    expect(late).toMatchObject({ overruled: [{ field: 'role', value: 'chef', shown: null, since: '2025-09-01' }] });
    expect(late.message).toContain('role has ended, not chef');
  });

  it('[TR104] a fact about another time says so', async () => {
    const subject = { type: 'person', name: 'Noa' };
    const past = await store({ subject, fields: { city: 'Bonn' }, effective_at: '2020', effective_until: '2021' });
    expect(past).toMatchObject({ changes: [{ field: 'city' }, { field: 'name' }], changes_at: '2020-01-01' });
    expect(past.message).toBe('Recorded for the time from 2020-01-01 until 2021-01-01; the present does not change');
  });

  it('[TR103] [CX8] shows values that will hold, and values that will end', async () => {
    const subject = { type: 'person', name: 'Tom Reed' };
    const future = await store({ subject, fields: { salary: 5000 }, effective_at: '2997-01-01' });
    expect(future).toMatchObject({
      changes: [{ field: 'name' }, { field: 'salary', after: 5000 }],
      changes_at: '2997-01-01',
    });
    expect(future.message).toBe('Recorded from 2997-01-01 on; until then nothing changes');
    await store({ subject, fields: { team: 'blue' }, effective_at: '2025', effective_until: '2996' });
    const upcoming = [
      { field: 'team', from: '2996-01-01' },
      { field: 'salary', value: 5000, from: '2997-01-01' },
    ];
    expect(await shown(future.entity_id)).toMatchObject({ snapshot: { name: 'Tom Reed', team: 'blue' }, upcoming });
    expect(await recallFact('salary of Tom Reed', 'Tom Reed')).toMatchObject({ upcoming });
    expect(await recallFact('salary of Tom Reed', 'Tom Reed', { at: '2025-05' })).not.toHaveProperty('upcoming');
    expect(await shown(future.entity_id, { at: '2997-02' })).not.toHaveProperty('upcoming');
    await program.call('correct_entity', { entity_id: future.entity_id, fields: { salary: 4800 } });
    // The correction decides then, too.
    expect((await shown(future.entity_id)).upcoming).toEqual([upcoming[0]]);
  });

  it('[TR103] shows a few changes only, and short', async () => {
    const subject = { type: 'person', name: 'Vera Long' };
    const fields = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`plan_${i}`, 'x'.repeat(3_000)]));
    const { entity_id } = await store({ subject, fields, effective_at: '2999' });
    const { upcoming } = await shown(entity_id);
    expect(upcoming).toHaveLength(5);
    expect(JSON.stringify(upcoming).length).toBeLessThan(1_500);
  });

  it('[CX8] recall shows the relationships of an entity in both directions, up to five', async () => {
    await store({
      subject: { type: 'person', name: 'Anna Schmidt' },
      relations: [{ type: 'WORKS_AT', to: company('Old Corp'), effective_at: '2020', effective_until: '2022' }],
    });
    for (const name of ['Anna Schmidt', 'Ben Ode', 'Cleo Ray', 'Dan Wu', 'Eva Mori', 'Finn Lutz'])
      await store({
        subject: { type: 'person', name },
        relations: [{ type: 'WORKS_AT', to: company('ACME'), effective_at: '2025-03' }],
      });
    expect(await recallFact('where does Anna Schmidt work?', 'Anna Schmidt')).toMatchObject({
      relations: ['WORKS_AT ACME since 2025-03'],
    });
    const acme = await recallFact('who works at ACME?', 'ACME');
    expect(acme?.relations).toHaveLength(5);
    expect(acme?.relations).toContain('Finn Lutz WORKS_AT this since 2025-03');
    expect(await recallFact('where did Anna Schmidt work?', 'Anna Schmidt', { at: '2021' })).toMatchObject({
      relations: ['WORKS_AT Old Corp since 2020 until 2022'],
    });
  });
});
