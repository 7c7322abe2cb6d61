import { expect, test } from 'vitest';
import { codeOf, describeTruth } from '../truth.fixture.ts';
import { truthLimits } from '../truth-limits.ts';
import { createGraphFixture } from './graph.fixture.ts';
import type { Edge, RelatedAnswer } from './relationship-model.ts';
import { insertStatements, listStatements } from './statements/statement-store.ts';

type Answer = Readonly<Record<string, unknown>>;

const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const dayMs = 86_400_000;

describeTruth('relationships in time', (engine) => {
  const open = async () => {
    const graph = createGraphFixture(engine);
    const [alice, acme, globex] = [
      await graph.state('alice', { type: 'person' }),
      await graph.state('acme'),
      await graph.state('globex'),
    ];
    const works = (target: string, more: object = {}, metadata?: object) =>
      graph.relate('WORKS_AT', alice, target, metadata, more);
    const placesAt = async (moment: object = {}): Promise<readonly string[]> =>
      (await graph.edgesOf(alice, moment)).map(({ target_entity_id }) => target_entity_id);
    return { ...graph, alice, acme, globex, works, placesAt };
  };

  test('[TR73] Alice works at Acme, leaves in May, and returns', async () => {
    const { alice, acme, globex, works, placesAt, edgesOf, clock } = await open();
    const first = await works(acme, { effective_at: '2024-03' });
    expect(first).toMatchObject({ created: true, effective_at: '2024-03' });
    expect(first).not.toHaveProperty('effective_until');
    const left = await works(acme, { effective_until: '2024-05' });
    expect(left).toMatchObject({
      ...{ id: first['id'], created: false, statement_added: true },
      ...{ effective_at: '2024-03', effective_until: '2024-05' },
      message: expect.stringContaining('from 2024-03 until 2024-05'),
    });
    expect(await placesAt()).toEqual([]);
    await works(globex, { effective_at: '2024-05' });
    expect(await placesAt({ at: '2024-04' })).toEqual([acme]);
    expect(await placesAt({ at: '2024-06' })).toEqual([globex]);
    expect(await placesAt({ at: '2024-02' })).toEqual([]);

    await works(globex, { effective_until: '2024-09-15' });
    const back = await works(acme, { effective_at: '2024-09-15' });
    expect(back).toMatchObject({ id: first['id'], created: false, statement_added: true, effective_at: '2024-09-15' });
    expect(back).not.toHaveProperty('effective_until');
    expect(await placesAt()).toEqual([acme]);
    expect(await placesAt({ at: '2024-04' })).toEqual([acme]);
    expect(await placesAt({ at: '2024-06' })).toEqual([globex]);

    clock.advance(dayMs);
    const all = await edgesOf(alice, { include_ended: true });
    expect(all).toHaveLength(2);
    expect(all.find(({ target_entity_id }) => target_entity_id === acme)).toMatchObject({
      holds: true,
      effective_at: '2024-09-15',
      periods: [{ effective_at: '2024-09-15' }, { effective_at: '2024-03', effective_until: '2024-05' }],
    });
    const ended = all.find(({ target_entity_id }) => target_entity_id === globex);
    expect(ended).toMatchObject({ holds: false, effective_until: '2024-09-15' });
    expect(ended).not.toHaveProperty('periods');
  });

  test('[TR74] a day or month means its last moment, and an end is exclusive', async () => {
    const { acme, works, placesAt } = await open();
    await works(acme, { effective_at: '2024-03-10T12:00:00Z', effective_until: '2024-05' });
    expect(await placesAt({ at: '2024-03-10' })).toEqual([acme]);
    expect(await placesAt({ at: '2024-03-10T11:59:59.999Z' })).toEqual([]);
    expect(await placesAt({ at: '2024-04' })).toEqual([acme]);
    expect(await placesAt({ at: '2024-04-30T23:59:59.999Z' })).toEqual([acme]);
    expect(await placesAt({ at: '2024-05-01T00:00:00Z' })).toEqual([]);
  });

  test('[TR75] an edge starts and ends by itself, without another write', async () => {
    const { alice, acme, globex, works, placesAt, edgesOf, clock, ask } = await open();
    const from = clock.now();
    await works(acme, { effective_until: day(from + 10 * dayMs) });
    await works(globex, { effective_at: day(from + 20 * dayMs), effective_until: day(from + 30 * dayMs) });
    await works(globex, { effective_at: day(from + 40 * dayMs) });
    const steps: readonly (readonly [number, readonly string[]])[] = [
      [0, [acme]],
      [11, []],
      [21, [globex]],
      [31, []],
      [41, [globex]],
    ];
    for (const [days, places] of steps) {
      clock.advance(from + days * dayMs - clock.now());
      expect([days, await placesAt()]).toEqual([days, places]);
      const { total } = (await ask('list_relationships', { entity_id: alice, limit: 1 })) as { total: number };
      expect(total).toBe(places.length);
    }
    const [current] = await edgesOf(alice);
    expect(current).toMatchObject({ effective_at: day(from + 40 * dayMs) });
    expect(await placesAt({ at: day(from + 25 * dayMs) })).toEqual([globex]);
  });

  test('[TR74] a future time is answered, and as_known_at in the future is an error', async () => {
    const { alice, acme, works, placesAt, ask, clock } = await open();
    await works(acme, { effective_at: day(clock.now() + 20 * dayMs) });
    expect(await placesAt()).toEqual([]);
    expect(await placesAt({ at: day(clock.now() + 30 * dayMs) })).toEqual([acme]);
    for (const bad of [{ as_known_at: day(clock.now() + 3 * dayMs) }, { at: 'yesterday' }, { at: '2024-02-30' }]) {
      for (const tool of ['list_relationships', 'get_related_entities']) {
        expect(codeOf(await ask(tool, { entity_id: alice, ...bad }))).toBe('VALIDATION_ERROR');
      }
      const node = { node_id: alice, node_type: 'entity' };
      expect(codeOf(await ask('get_graph_neighborhood', { ...node, ...bad }))).toBe('VALIDATION_ERROR');
    }
  });

  test('[TR74] as_known_at shows what was recorded by then, whatever was stated later', async () => {
    const { alice, acme, works, edgesOf, placesAt, clock } = await open();
    const moments: string[] = [];
    const next = async (work: () => Promise<unknown>) => {
      clock.advance(1_000);
      await work();
      moments.push(new Date(clock.now()).toISOString());
    };
    await next(() => works(acme, { effective_at: '2024-01' }, { role: 'clerk' }));
    await next(() => works(acme, { effective_until: '2024-05' }));
    await next(() => works(acme, { effective_at: '2024-01', effective_until: '2024-03' }, { role: 'boss' }));
    clock.advance(1_000);
    const april = { at: '2024-04' };
    expect(await placesAt(april)).toEqual([]);
    expect(await placesAt({ ...april, as_known_at: moments[2] })).toEqual([]);
    expect(await edgesOf(alice, { ...april, as_known_at: moments[1] })).toMatchObject([
      { effective_until: '2024-05', metadata: { role: 'clerk' } },
    ]);
    const [known] = await edgesOf(alice, { as_known_at: moments[0] });
    expect(known).toMatchObject({ metadata: { role: 'clerk' } });
    expect(known).not.toHaveProperty('effective_until');
    expect(await placesAt({ as_known_at: '2024-01-01' })).toEqual([]);
    expect(await edgesOf(alice, { include_ended: true, as_known_at: moments[1] })).toMatchObject([
      { holds: false, effective_until: '2024-05' },
    ]);
  });

  test('[TR76] a deletion is a statement: idempotent, restorable and visible in the past', async () => {
    const { alice, acme, works, placesAt, ask, clock, edgesOf } = await open();
    const { id } = await works(acme, { effective_at: '2024-01' }, { role: 'clerk' });
    const before = new Date(clock.now()).toISOString();
    clock.advance(1_000);
    const deleted = await ask('delete_relationship', { relationship_id: id, reason: 'wrong person' });
    expect(deleted).toMatchObject({ id, deleted: true, changed: true });
    const again = await ask('delete_relationship', { relationship_id: id });
    expect(again).toMatchObject({ id, deleted: true, changed: false, message: expect.stringContaining('before') });
    for (const moment of [{}, { at: '2024-02' }, { include_ended: true }]) expect(await placesAt(moment)).toEqual([]);
    expect(await placesAt({ as_known_at: before })).toEqual([acme]);
    const gone = new Date(clock.now()).toISOString();
    clock.advance(1_000);
    expect(await ask('restore_relationship', { relationship_id: id })).toMatchObject({ id, restored: true });
    expect(await ask('restore_relationship', { relationship_id: id })).toMatchObject({ id, restored: false });
    expect(await edgesOf(alice)).toMatchObject([{ effective_at: '2024-01', metadata: { role: 'clerk' } }]);
    expect(await placesAt({ as_known_at: gone })).toEqual([]);
    expect(await placesAt({ as_known_at: before })).toEqual([acme]);
  });

  test('[TR76] stating a deleted edge restores it', async () => {
    const { acme, works, placesAt, ask } = await open();
    const { id } = await works(acme);
    await ask('delete_relationship', { relationship_id: id });
    const answer = await works(acme);
    expect(answer).toMatchObject({ id, created: false, statement_added: true });
    expect(answer['message']).toMatch(/deleted and is restored/);
    expect(await placesAt()).toEqual([acme]);
  });

  test('[TR76] an unknown id is NOT_FOUND, also that of another tenant', async () => {
    const { acme, works } = await open();
    const { id } = await works(acme);
    const other = await open();
    for (const tool of ['delete_relationship', 'restore_relationship']) {
      const answer = await other.ask(tool, { relationship_id: id });
      expect(codeOf(answer)).toBe('NOT_FOUND');
      expect((answer['error'] as Answer)['message']).toMatch(/list_relationships/);
      expect(codeOf(await other.ask(tool, { relationship_id: 'rel_1' }))).toMatch(/VALIDATION_ERROR|INVALID_PARAMS/);
    }
  });

  test('[TR77] cycles ignore times and deleted edges, and restoring may close one', async () => {
    const { relate, ask, acme, globex } = await open();
    const { id } = await relate('PART_OF', acme, globex, undefined, {
      ...{ effective_at: '2020', effective_until: '2021' },
    });
    expect(codeOf(await relate('PART_OF', globex, acme, undefined, { effective_at: '2024' }))).toBe('CYCLE_DETECTED');
    await ask('delete_relationship', { relationship_id: id });
    expect(await relate('PART_OF', globex, acme)).toMatchObject({ created: true });
    expect(codeOf(await ask('restore_relationship', { relationship_id: id }))).toBe('CYCLE_DETECTED');
    expect(codeOf(await relate('PART_OF', acme, globex))).toBe('CYCLE_DETECTED');
    // Roles of people change, so these may be mutual.
    await relate('REPORTS_TO', acme, globex);
    expect(await relate('REPORTS_TO', globex, acme)).toMatchObject({ created: true });
  });

  test('[TR72] bad times are VALIDATION_ERROR and change nothing', async () => {
    const { alice, acme, works, edgesOf, relate } = await open();
    await works(acme, { effective_at: '2024-01', effective_until: '2024-05' });
    const before = await edgesOf(alice, { include_ended: true });
    for (const bad of [
      { effective_at: '2024-05', effective_until: '2024-04' },
      { effective_at: '2024-05', effective_until: '2024-05' },
      { effective_at: '2024-05', effective_until: '2024-05-01T00:00:00Z' },
      { effective_until: '2023' },
      { effective_until: '2024-06' },
      { effective_at: 'May 2024' },
      { effective_at: '2024-05-01T10:00:00' },
      { effective_at: 20_240_501 },
    ]) {
      expect([bad, codeOf(await works(acme, bad))]).toEqual([
        bad,
        expect.stringMatching(/^(VALIDATION_ERROR|INVALID_PARAMS)$/),
      ]);
    }
    expect(await edgesOf(alice, { include_ended: true })).toEqual(before);
    const missing = await relate('WORKS_AT', alice, 'ent_0', undefined, { effective_at: '2024' });
    expect(missing['error']).toMatchObject({ code: 'ENTITY_NOT_FOUND', details: { field: 'target_entity_id' } });
  });

  test('the graph tools answer for a time', async () => {
    const { alice, acme, globex, works, relate, ask, clock } = await open();
    await works(acme, { effective_at: '2024-01', effective_until: '2024-05' });
    await works(globex, { effective_at: '2024-05' });
    await relate('OWNS', globex, acme, undefined, { effective_at: '2024-03' });
    const early = new Date(clock.now()).toISOString();
    const related = async (more: object) => {
      const answer = await ask('get_related_entities', { entity_id: alice, max_hops: 2, ...more });
      return (answer['entities'] as RelatedAnswer['entities']).map(({ entity_id, hops }) => [entity_id, hops]);
    };
    expect(await related({})).toEqual([
      [globex, 1],
      [acme, 2],
    ]);
    expect(await related({ at: '2024-02' })).toEqual([[acme, 1]]);
    expect(await related({ at: '2024-04' })).toEqual([
      [acme, 1],
      [globex, 2],
    ]);
    expect(await related({ relationship_types: ['works at'], at: '2024-04' })).toEqual([[acme, 1]]);
    clock.advance(1_000);
    await works(acme, { effective_at: '2024-01', effective_until: '2024-02' });
    expect(await related({ at: '2024-04' })).toEqual([]);
    expect(await related({ at: '2024-04', as_known_at: early })).toEqual([
      [acme, 1],
      [globex, 2],
    ]);
    // The entities were observed in 2025.
    const node = { node_id: alice, node_type: 'entity', at: day(clock.now()) };
    expect(await ask('get_graph_neighborhood', node)).toMatchObject({
      node: { id: alice, snapshot: { name: 'alice' } },
      relationships: [{ target_entity_id: globex, effective_at: '2024-05' }],
    });
    expect(await ask('get_graph_neighborhood', { ...node, as_known_at: early })).toMatchObject({
      node: { id: alice, observation_count: 1 },
      entities: [{ entity_id: globex }],
      sources: [{ source_kind: 'payload' }],
    });
  });

  test('[TR78] as_known_at follows the groups of that time', async () => {
    const { alice, acme, globex, works, merge, unmerge, edgesOf, clock, ask, state } = await open();
    const initech = await state('initech');
    await works(acme);
    const apart = new Date(clock.now()).toISOString();
    clock.advance(1_000);
    await merge(acme, globex);
    await works(globex);
    const together = new Date(clock.now()).toISOString();
    clock.advance(1_000);
    await unmerge(acme, globex);
    await merge(globex, initech);
    const show = (edges: readonly Edge[]) =>
      edges.map(({ source_entity_id, target_entity_id, target_redirected_from }) => [
        ...[source_entity_id, target_entity_id, target_redirected_from],
      ]);
    const now = [
      [alice, initech, globex],
      [alice, acme, undefined],
    ];
    expect(show(await edgesOf(alice))).toEqual(now);
    expect(show(await edgesOf(alice, { as_known_at: apart }))).toEqual([[alice, acme, undefined]]);
    const joined = [
      [alice, globex, undefined],
      [alice, globex, acme],
    ];
    expect(show(await edgesOf(alice, { as_known_at: together }))).toEqual(joined);
    for (const entity_id of [acme, globex]) {
      expect(show(await edgesOf(entity_id, { as_known_at: together }))).toEqual(joined);
    }
    expect(await edgesOf(initech, { as_known_at: together })).toEqual([]);
    expect(show(await edgesOf(initech))).toEqual([[alice, initech, globex]]);
    const walked = await ask('get_related_entities', { entity_id: acme, max_hops: 2, as_known_at: together });
    expect(walked).toMatchObject({ entities: [{ entity_id: alice }], redirected_from: acme });
    expect(
      await ask('get_graph_neighborhood', { node_id: acme, node_type: 'entity', as_known_at: together }),
    ).toMatchObject({ node: { id: globex }, redirected_from: acme, entities: [{ entity_id: alice }] });
  });

  test('[TR72] a thousand relations of one entity are listed page by page, ended ones apart', async () => {
    const { ask, stateAll, relateAll, tenant } = createGraphFixture(engine);
    const fixture = createGraphFixture(engine, tenant);
    const [hub, ...others] = await stateAll(['hub', ...Array.from({ length: 1_000 }, (_, i) => `spoke ${i}`)]);
    await relateAll('KNOWS', hub!, others);
    fixture.clock.advance(1_000);
    for (const other of others.slice(0, 5)) {
      await fixture.relate('KNOWS', hub!, other, undefined, { effective_until: day(fixture.clock.now() + dayMs) });
    }
    fixture.clock.advance(3 * dayMs);
    const page = await ask('list_relationships', { entity_id: hub, limit: 600 });
    expect(page).toMatchObject({ total: 995 });
    const rest = await ask('list_relationships', { entity_id: hub, limit: 600, offset: 600 });
    const ids = [page, rest].flatMap((one) => (one['relationships'] as Edge[]).map(({ id }) => id));
    expect(new Set(ids).size).toBe(995);
    const all = await ask('list_relationships', { entity_id: hub, limit: 1_000, include_ended: true });
    expect(all['relationships']).toHaveLength(1_000);
  });

  test('[TR72] an edge has a limited number of statements', async () => {
    const { acme, works, read } = await open();
    const { id } = await works(acme, { effective_at: '2020' });
    await read(function* (db) {
      const [first] = yield* listStatements(db, [String(id)]);
      const copies = Array.from({ length: truthLimits.statementsCount - 1 }, (_, i) => ({
        ...{ ...first!, statement_id: `est_${i}`, position: i + 1 },
      }));
      yield* insertStatements(db, copies);
    });
    const answer = await works(acme, { effective_at: '2021' });
    expect(codeOf(answer)).toBe('RESOURCE_LIMIT');
    expect(await works(acme)).toMatchObject({ created: false });
  });
});
