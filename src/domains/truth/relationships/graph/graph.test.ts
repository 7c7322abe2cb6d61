import { expect, test } from 'vitest';
import { codeOf, describeTruth, invoice } from '../../truth.fixture.ts';
import { countReads, createGraphFixture } from '../graph.fixture.ts';
import type { RelatedAnswer } from '../relationship-model.ts';

const namesOf = (answer: Readonly<Record<string, unknown>>): readonly string[] =>
  (answer['entities'] as RelatedAnswer['entities']).map(({ canonical_name }) => canonical_name);

describeTruth('relationship graph', (engine) => {
  /** root → a0, a1 · a0 → b0 · a1 → b0, b1 · b0 → c0 · c0 → d0 */
  const open = async () => {
    const graph = createGraphFixture(engine);
    const names = ['root', 'a0', 'a1', 'b0', 'b1', 'c0', 'd0'];
    const idOf = new Map((await graph.stateAll(names)).map((id, i) => [names[i]!, id]));
    for (const [source, target] of ['root a0', 'root a1', 'a0 b0', 'a1 b0', 'a1 b1', 'b0 c0', 'c0 d0'].map((pair) =>
      pair.split(' '),
    )) {
      graph.clock.advance(1);
      await graph.relate('DEPENDS_ON', idOf.get(source!)!, idOf.get(target!)!);
    }
    return { ...graph, idOf: (name: string) => idOf.get(name)! };
  };

  test('related entities are ordered by distance, then by newest edge', async () => {
    const { ask, idOf } = await open();
    const entity_id = idOf('root');
    expect(namesOf(await ask('get_related_entities', { entity_id }))).toEqual(['a1', 'a0']);
    const two = await ask('get_related_entities', { entity_id, max_hops: 2 });
    expect(namesOf(two)).toEqual(['a1', 'a0', 'b1', 'b0']);
    expect(two).toMatchObject({ truncated: false });
    expect(two['relationships']).toHaveLength(5);
    const five = await ask('get_related_entities', { entity_id, max_hops: 5 });
    expect(namesOf(five)).toEqual(['a1', 'a0', 'b1', 'b0', 'c0', 'd0']);
    expect((five['entities'] as RelatedAnswer['entities']).map(({ hops }) => hops)).toEqual([1, 1, 2, 2, 3, 4]);
    expect(five['relationships']).toHaveLength(7);
    expect(await ask('get_related_entities', { entity_id, max_hops: 5 })).toEqual(five);
  });

  test('respects direction and types', async () => {
    const { ask, relate, idOf } = await open();
    await relate('REFERS_TO', idOf('d0'), idOf('root'));
    const from = (name: string, more: object) =>
      ask('get_related_entities', { entity_id: idOf(name), max_hops: 5, ...more });
    expect(namesOf(await from('b0', { direction: 'outbound', relationship_types: ['DEPENDS_ON'] }))).toEqual([
      'c0',
      'd0',
    ]);
    expect(namesOf(await from('b0', { direction: 'inbound', relationship_types: ['DEPENDS_ON'] }))).toEqual([
      'a1',
      'a0',
      'root',
    ]);
    expect(namesOf(await from('d0', { relationship_types: ['REFERS_TO'] }))).toEqual(['root']);
    expect(namesOf(await from('d0', { relationship_types: ['PART_OF', 'PART_OF'] }))).toEqual([]);
  });

  test('reports when results are left out', async () => {
    const { ask, idOf } = await open();
    const answer = await ask('get_related_entities', { entity_id: idOf('root'), max_hops: 5, limit: 3 });
    expect(namesOf(answer)).toEqual(['a1', 'a0', 'b1']);
    expect(answer).toMatchObject({ truncated: true });
    expect(answer['relationships']).toHaveLength(3);
    for (const bad of [{ max_hops: 0 }, { max_hops: 6 }, { relationship_types: [] }, { limit: 0 }]) {
      expect(codeOf(await ask('get_related_entities', { entity_id: idOf('root'), ...bad }))).toMatch(
        /VALIDATION_ERROR|INVALID_PARAMS/,
      );
    }
  });

  test('the neighbourhood of an entity has its edges, neighbours, sources and events', async () => {
    const { ask, submit, relate, idOf, clock } = await open();
    const { entities, payload_id } = await submit(invoice({ invoice_number: 'INV-7', due_date: '2025-02-14' }));
    const own = entities[0]!;
    const [, vendor, customer] = entities.map(({ entity_id }) => entity_id);
    clock.advance(1);
    await relate('REFERS_TO', own.entity_id, idOf('root'));
    const answer = await ask('get_graph_neighborhood', { node_id: own.entity_id, node_type: 'entity' });
    const entitiesOf = (answer['entities'] as RelatedAnswer['entities']).map(({ entity_id }) => entity_id);
    expect(new Set(entitiesOf)).toEqual(new Set([idOf('root'), vendor, customer]));
    expect(answer).toMatchObject({
      node: {
        node_type: 'entity',
        id: own.entity_id,
        type: 'invoice',
        observation_count: 1,
        snapshot: { invoice_number: 'INV-7' },
      },
      relationships: [
        { relationship_type: 'REFERS_TO', source_entity_id: own.entity_id, target_entity_id: idOf('root') },
        { source_entity_id: own.entity_id },
        { source_entity_id: own.entity_id },
      ],
      sources: [
        {
          source_record_id: payload_id,
          source_kind: 'payload',
          type: 'invoice',
          observation_ids: [own.observation_id],
        },
      ],
      truncated: false,
    });
    const events = answer['events'] as readonly { event_type: string; entity_id: string }[];
    expect(events.map(({ event_type }) => event_type)).toContain('invoice_due_date');
    expect(events.every(({ entity_id }) => entity_id === own.entity_id)).toBe(true);
  });

  test('the neighbourhood of a payload has the entities it describes', async () => {
    const { ask, submit } = createGraphFixture(engine);
    const { entities, payload_id } = await submit(invoice());
    const answer = await ask('get_graph_neighborhood', { node_id: payload_id, node_type: 'record' });
    expect(answer).toMatchObject({ node: { node_type: 'record', id: payload_id, type: 'invoice' } });
    const types = (answer['relationships'] as RelatedAnswer['relationships']).map((edge) => edge.relationship_type);
    expect(types.toSorted()).toEqual(['BILLED_TO', 'ISSUED_BY']);
    expect((answer['entities'] as RelatedAnswer['entities']).map(({ entity_id }) => entity_id)).toEqual(
      [...new Set(entities.map(({ entity_id }) => entity_id))].sort(),
    );
    expect(answer['sources']).toMatchObject([{ source_record_id: payload_id }]);
    const other = createGraphFixture(engine);
    expect(codeOf(await other.ask('get_graph_neighborhood', { node_id: payload_id, node_type: 'record' }))).toBe(
      'RECORD_NOT_FOUND',
    );
    expect(codeOf(await ask('get_graph_neighborhood', { node_id: payload_id, node_type: 'entity' }))).toMatch(
      /VALIDATION_ERROR|INVALID_PARAMS/,
    );
  });

  test('a node with a thousand edges takes as many statements as one with few', async () => {
    const counter = countReads(engine.storage());
    const { ask, stateAll, relateAll, tenant } = createGraphFixture(engine);
    const counting = createGraphFixture(engine, tenant, counter.storage);
    const [hub, few, ...others] = await stateAll([
      'hub',
      'few',
      ...Array.from({ length: 990 }, (_, i) => `spoke ${i}`),
    ]);
    await relateAll('PART_OF', hub!, others);
    await relateAll('PART_OF', few!, others.slice(0, 2));
    const askFor = async (node_id: string) => {
      const before = counter.statements();
      const answer = await counting.ask('get_graph_neighborhood', { node_id, node_type: 'entity', limit: 1_000 });
      return { answer, statements: counter.statements() - before };
    };
    const large = await askFor(hub!);
    expect(large.answer['relationships']).toHaveLength(990);
    expect(large.answer['entities']).toHaveLength(990);
    expect(large.answer).toMatchObject({ truncated: false });
    expect(large.statements).toBe((await askFor(few!)).statements);
    expect(large.statements).toBeLessThanOrEqual(12);
    const cut = await ask('get_graph_neighborhood', { node_id: hub, node_type: 'entity', limit: 100 });
    expect(cut['relationships']).toHaveLength(100);
    expect(cut).toMatchObject({ truncated: true });
    const before = counter.statements();
    const walked = await counting.ask('get_related_entities', { entity_id: others[0]!, max_hops: 2, limit: 1_000 });
    expect(walked['entities']).toHaveLength(991);
    expect(counter.statements() - before).toBeLessThanOrEqual(7);
  });
});
