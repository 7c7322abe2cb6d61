import { expect, test } from 'vitest';
import type { ToolAnswer } from '#tests/support/open-toolset.ts';
import { codeOf, describeTruth, invoice } from '../truth.fixture.ts';
import { companyId, createEntitiesFixture } from './entities.fixture.ts';

const idsOf = (answer: ToolAnswer) => (answer['entities'] as { entity_id: string }[]).map(({ entity_id }) => entity_id);

describeTruth('lists of entities', (engine) => {
  const createThree = async () => {
    const fixture = createEntitiesFixture(engine);
    for (const company of ['One', 'Two', 'Three']) {
      await fixture.say({ company, stated: { name: company }, source: { id: company } });
      engine.clock.advance(5);
    }
    return fixture;
  };

  test('are newest first, paged, with a total', async () => {
    const { ask, submit } = await createThree();
    const answer = await ask('retrieve_entities', { entity_type: 'company' });
    expect(answer).toMatchObject({ total: 3, limit: 100, offset: 0 });
    expect(idsOf(answer)).toEqual(['Three', 'Two', 'One'].map(companyId));
    expect((answer['entities'] as unknown[])[0]).toEqual({
      entity_id: companyId('Three'),
      entity_type: 'company',
      canonical_name: 'three',
      schema_version: '2.0',
      observation_count: 1,
      last_observation_at: expect.any(String),
      created_at: expect.any(String),
      snapshot: { name: 'Three' },
    });
    const page = await ask('retrieve_entities', { limit: 1, offset: 1, include_snapshots: false });
    expect(page).toMatchObject({ total: 3, limit: 1, offset: 1 });
    expect(idsOf(page)).toEqual([companyId('Two')]);
    expect((page['entities'] as unknown[])[0]).not.toHaveProperty('snapshot');
    await submit(invoice());
    expect(await ask('retrieve_entities', { entity_type: 'company' })).toMatchObject({ total: 5 });
    expect(await ask('retrieve_entities')).toMatchObject({ total: 6 });
    expect(await ask('retrieve_entities', { entity_type: 'boat' })).toMatchObject({ total: 0, entities: [] });
  });

  test('contain only roots', async () => {
    const { ask, merge } = await createThree();
    await merge('One', 'Three');
    const answer = await ask('retrieve_entities', { entity_type: 'company' });
    expect(answer).toMatchObject({ total: 2, entities: [{ observation_count: 2 }, { observation_count: 1 }] });
    expect(idsOf(answer)).toEqual(['Three', 'Two'].map(companyId));
  });

  test('continue at nextOffset when an answer would be too large', async () => {
    const { ask, say } = createEntitiesFixture(engine);
    const address = 'x'.repeat(900_000);
    for (let i = 0; i < 6; i += 1) {
      await say({ company: `Co ${i}`, stated: { address }, source: { id: `s${i}` } });
      engine.clock.advance(1);
    }
    const first = await ask('retrieve_entities', {});
    expect(first).toMatchObject({ total: 6, truncated: true, nextOffset: 4 });
    expect(idsOf(first)).toHaveLength(4);
    const second = await ask('retrieve_entities', { offset: 4 });
    expect([...idsOf(first), ...idsOf(second)]).toEqual([5, 4, 3, 2, 1, 0].map((i) => companyId(`Co ${i}`)));
    expect(second).not.toHaveProperty('truncated');
  });

  test('finds an entity by id, by its name in any spelling, and by its identifier fields', async () => {
    const { ask, submit, merge, say } = createEntitiesFixture(engine);
    const sent = await submit(invoice({ vendor_tax_id: 'NL-1 22' }));
    const [own, vendor] = sent.entities;
    const find = async (identifier: string, entity_type?: string) =>
      idsOf(
        await ask('get_entity_by_identifier', { identifier, ...(entity_type === undefined ? {} : { entity_type }) }),
      );
    expect(await find(vendor!.entity_id)).toEqual([vendor!.entity_id]);
    for (const name of ['Acme Corp', ' acme  CORP. ', 'acme', 'ACME, Inc.', 'nl-1 22']) {
      expect([name, await find(name)]).toEqual([name, [vendor!.entity_id]]);
    }
    expect(await find('inv-001')).toEqual([own!.entity_id]);
    expect(await find('acme', 'company')).toEqual([vendor!.entity_id]);
    expect(await find('acme', 'person')).toEqual([]);
    expect(await find(vendor!.entity_id, 'person')).toEqual([]);
    expect(await find('unknown')).toEqual([]);
    await say({ company: 'Whole Acme', stated: {}, source: { id: 'w' } });
    await merge('Acme', 'Whole Acme');
    expect(await find('acme')).toEqual([companyId('Whole Acme')]);
  });

  test.each([
    ['retrieve_entities', { limit: 0 }],
    ['retrieve_entities', { limit: 1_001 }],
    ['retrieve_entities', { offset: -1 }],
    ['retrieve_entities', { offset: 100_001 }],
    ['retrieve_entities', { entity_type: 'No Type' }],
    ['list_observations', { entity_id: 'ent_1', limit: 1.5 }],
    ['get_entity_by_identifier', { identifier: '' }],
    ['get_entity_by_identifier', { identifier: 'x'.repeat(1_001) }],
    ['get_entity_by_identifier', {}],
  ])('%s rejects %o', async (name, args) => {
    const { ask } = createEntitiesFixture(engine);
    expect(codeOf(await ask(name, args))).toBe('VALIDATION_ERROR');
  });
});

describeTruth('lists of observations', (engine) => {
  test('contain the whole group, newest first and then by id, paged', async () => {
    const { ask, say, merge } = createEntitiesFixture(engine);
    const statements: { readonly id: string; readonly at: number }[] = [];
    for (let i = 0; i < 12; i += 1) {
      const at = Date.UTC(2025, 0, 1 + (i % 3));
      const company = i % 2 === 0 ? 'Acme' : 'Labs';
      const source = { id: `s${i}`, observedAt: at };
      statements.push({ id: await say({ company, stated: { address: `${i}`, phone: { i } }, source }), at });
    }
    const listOf = async (args: object) =>
      ((await ask('list_observations', args))['observations'] as { id: string }[]).map(({ id }) => id);
    const sorted = (of: typeof statements) =>
      of.toSorted((a, b) => b.at - a.at || (a.id < b.id ? -1 : 1)).map(({ id }) => id);
    expect(await listOf({ entity_id: companyId('Acme') })).toEqual(sorted(statements.filter((_, i) => i % 2 === 0)));
    await merge('Labs', 'Acme');
    const all = sorted(statements);
    expect(await listOf({ entity_id: companyId('Labs') })).toEqual(all);
    const page = await ask('list_observations', { entity_id: companyId('Acme'), limit: 5, offset: 4 });
    expect(page).toMatchObject({ total: 12, limit: 5, offset: 4 });
    expect((page['observations'] as { id: string }[]).map(({ id }) => id)).toEqual(all.slice(4, 9));
    expect((page['observations'] as object[])[0]).toEqual({
      id: all[4],
      entity_id: expect.any(String),
      entity_type: 'company',
      schema_version: '2.0',
      source_kind: 'payload',
      source_record_id: expect.any(String),
      source_payload_id: expect.any(String),
      role: 'self',
      observed_at: expect.any(String),
      specificity_score: 0.0833,
      source_priority: 100,
      fields: { address: expect.any(String) },
      raw_fragments: { phone: { i: expect.any(Number) } },
      submission_id: expect.any(String),
      effective_at: expect.any(String),
      created_at: expect.any(String),
    });
  });

  test('continue at nextOffset when an answer would be too large', async () => {
    const { ask, say } = createEntitiesFixture(engine);
    for (let i = 0; i < 60; i += 1) {
      await say({ company: 'Acme', stated: { address: 'x'.repeat(100_000) }, source: { id: `s${i}` } });
    }
    const entity_id = companyId('Acme');
    const first = await ask('list_observations', { entity_id });
    const next = first['nextOffset'] as number;
    expect(first).toMatchObject({ total: 60, truncated: true });
    expect((first['observations'] as unknown[]).length).toBe(next);
    const second = await ask('list_observations', { entity_id, offset: next });
    const ids = [...(first['observations'] as { id: string }[]), ...(second['observations'] as { id: string }[])];
    expect(new Set(ids.map(({ id }) => id)).size).toBe(60);
  });
});
