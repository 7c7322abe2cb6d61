import { expect, test } from 'vitest';
import { list, sql } from '#kernel/storage/sql.ts';
import { createGraphFixture } from '../relationships/graph.fixture.ts';
import { codeOf, describeTruth } from '../truth.fixture.ts';
import { truthLimits } from '../truth-limits.ts';
import { allRows, journal } from './merge-rows.fixture.ts';

describeTruth('merges', (engine) => {
  const open = async () => {
    const graph = createGraphFixture(engine);
    const a = await graph.state('acme', { day: 1, stated: { address: 'Old Street', tags: ['x'] } });
    const b = await graph.state('acme holding', { day: 2, stated: { address: 'New Street', tags: ['y'] } });
    const c = await graph.state('cyd', { day: 3, stated: { tags: ['z'] } });
    return { ...graph, a, b, c, rows: () => graph.read(allRows) };
  };

  test('[TR20] counts the source for the target and redirects its id', async () => {
    const { a, b, ask, merge, clock } = await open();
    const merged_at = new Date(clock.now()).toISOString();
    expect(await merge(a, b)).toEqual({
      ...{ merged: true, dry_run: false, source_entity_id: a, target_entity_id: b, root_entity_id: b },
      ...{ observation_count: 2, observations_moved: 1, entities_moved: 1, relationships_moved: 0, merged_at },
    });
    const answer = await ask('get_entity_snapshot', { entity_id: a });
    expect(answer).toMatchObject({
      entity_id: b,
      redirected_from: a,
      observation_count: 2,
      snapshot: { address: 'New Street', tags: ['x', 'y'] },
    });
    expect(await ask('retrieve_entities', { entity_type: 'company' })).toMatchObject({ total: 2 });
  });

  test('[TR20] unmerging restores every row, including what was added meanwhile', async () => {
    const { a, b, c, ask, merge, unmerge, relate, state, rows } = await open();
    await relate('PART_OF', a, c);
    await relate('REFERS_TO', b, a);
    const before = await rows();
    await merge(a, b);
    expect(await rows()).not.toEqual(before);
    expect(await unmerge(a, b)).toMatchObject({
      ...{ unmerged: true, root_entity_id: a, target_root_entity_id: b, observation_count: 1 },
      ...{ target_observation_count: 1, entities_moved: 1, relationships_moved: 2 },
    });
    expect(await rows()).toEqual(before);
    await merge(a, b);
    await state('acme', { day: 9, stated: { address: 'Newest Street' } });
    await relate('SETTLES', b, c);
    expect(await ask('get_entity_snapshot', { entity_id: b })).toMatchObject({
      snapshot: { address: 'Newest Street' },
    });
    await unmerge(a, b);
    expect(await ask('get_entity_snapshot', { entity_id: b })).toMatchObject({
      observation_count: 1,
      snapshot: { address: 'New Street' },
    });
    expect(await ask('get_entity_snapshot', { entity_id: a })).toMatchObject({
      observation_count: 2,
      snapshot: { address: 'Newest Street' },
    });
  });

  test('[TR20] reduces all ancestors again when a nested entity is unmerged', async () => {
    const { a, b, c, merge, unmerge, rows } = await open();
    await merge(b, c);
    const before = await rows();
    await unmerge(b, c);
    await merge(a, b);
    expect(await merge(b, c)).toMatchObject({ entities_moved: 2, observations_moved: 2, observation_count: 3 });
    expect(await unmerge(a, c, true)).toMatchObject({ unmerged: false, target_observation_count: 2 });
    expect(await unmerge(a, b)).toMatchObject({ target_root_entity_id: c, target_observation_count: 2 });
    expect(await rows()).toEqual(before);
  });

  test('[TR32] a merged target resolves to its root', async () => {
    const { a, b, c, merge, unmerge } = await open();
    await merge(b, c);
    expect(await merge(a, b)).toMatchObject({ root_entity_id: c, observation_count: 3 });
    expect(await unmerge(a, b)).toMatchObject({ unmerged: true, target_root_entity_id: c });
  });

  test('[TR21] rejects invalid merges and changes nothing', async () => {
    const { a, b, c, merge, unmerge, state, rows } = await open();
    const note = await state('acme', { type: 'note' });
    const foreign = await createGraphFixture(engine).state('zoe');
    await merge(a, b);
    const before = await rows();
    for (const [source, target] of [
      [a, a],
      [a, c],
      [a, b],
      [b, a],
      [b, note],
      [note, b],
    ] as const) {
      expect([source, target, codeOf(await merge(source, target))]).toEqual([source, target, 'VALIDATION_ERROR']);
      expect(codeOf(await merge(source, target, true))).toBe('VALIDATION_ERROR');
    }
    for (const [source, target] of [
      [b, a],
      [c, b],
      [a, c],
      [a, a],
    ] as const) {
      expect([source, target, codeOf(await unmerge(source, target))]).toEqual([source, target, 'VALIDATION_ERROR']);
    }
    for (const change of [merge, unmerge]) {
      expect(codeOf(await change(a, foreign))).toBe('ENTITY_NOT_FOUND');
      expect(codeOf(await change(foreign, b))).toBe('ENTITY_NOT_FOUND');
      expect(codeOf(await change('ent_0', b))).toBe('ENTITY_NOT_FOUND');
      expect(codeOf(await change('acme', b))).toMatch(/VALIDATION_ERROR|INVALID_PARAMS/);
    }
    expect(await rows()).toEqual(before);
  });

  test('[TR21] a dry run reports the outcome and changes nothing', async () => {
    const { a, b, c, merge, unmerge, relate, rows } = await open();
    await relate('PART_OF', a, c);
    const before = await rows();
    const { merged_at: _, ...rehearsed } = await merge(a, b, true);
    expect(rehearsed).toMatchObject({ merged: false, dry_run: true, relationships_moved: 1 });
    expect(await rows()).toEqual(before);
    const { merged_at, ...done } = await merge(a, b);
    expect(merged_at).toBeDefined();
    expect(done).toEqual({ ...rehearsed, merged: true, dry_run: false });
    const merged = await rows();
    const back = await unmerge(a, b, true);
    expect(await rows()).toEqual(merged);
    const { unmerged_at: __, ...undone } = await unmerge(a, b);
    expect(undone).toEqual({ ...back, unmerged: true, dry_run: false });
  });

  test('[TR21] rejects a merge that would close a cycle', async () => {
    const { a, b, c, merge, relate, rows } = await open();
    await relate('DEPENDS_ON', a, c);
    await relate('DEPENDS_ON', c, b);
    const before = await rows();
    for (const [source, target] of [
      [a, b],
      [b, a],
    ] as const) {
      expect(codeOf(await merge(source, target))).toBe('CYCLE_DETECTED');
      expect(codeOf(await merge(source, target, true))).toBe('CYCLE_DETECTED');
    }
    expect(await rows()).toEqual(before);
    expect(await merge(a, c)).toMatchObject({ merged: true });
  });

  test('[TR21] edges of different types and references do not close a cycle', async () => {
    const { a, b, c, merge, relate } = await open();
    await relate('DEPENDS_ON', a, c);
    await relate('PART_OF', c, b);
    await relate('REFERS_TO', c, b);
    await relate('REFERS_TO', a, c);
    expect(await merge(a, b)).toMatchObject({ merged: true, relationships_moved: 2 });
  });

  test('[TR23] shows edges between roots and hides those inside a group', async () => {
    const { a, b, c, ask, merge, unmerge, relate, edgesOf } = await open();
    await relate('DUPLICATE_OF', a, b);
    await relate('PART_OF', a, c);
    const before = [await edgesOf(a), await edgesOf(b), await edgesOf(c)];
    await merge(a, b);
    const [shown] = await edgesOf(b);
    expect(await edgesOf(b)).toHaveLength(1);
    expect(shown).toMatchObject({ source_entity_id: b, target_entity_id: c, source_redirected_from: a });
    expect(await ask('list_relationships', { entity_id: a })).toMatchObject({
      total: 1,
      redirected_from: a,
      relationships: [shown],
    });
    expect(await edgesOf(c)).toEqual([shown]);
    expect(await ask('get_related_entities', { entity_id: c })).toMatchObject({ entities: [{ entity_id: b }] });
    expect(await ask('get_graph_neighborhood', { node_id: a, node_type: 'entity' })).toMatchObject({
      node: { id: b },
      redirected_from: a,
      relationships: [shown],
      sources: [{}, {}],
    });
    expect(codeOf(await relate('PART_OF', b, a))).toBe('CYCLE_DETECTED');
    expect(codeOf(await relate('PART_OF', c, b))).toBe('CYCLE_DETECTED');
    expect(codeOf(await relate('REFERS_TO', a, b))).toBe('CYCLE_DETECTED');
    await unmerge(a, b);
    expect([await edgesOf(a), await edgesOf(b), await edgesOf(c)]).toEqual(before);
  });

  test('[TR34] rejects unmerging an entity from the middle of a chain of edges', async () => {
    const { a, b, c, merge, unmerge, relate, rows } = await open();
    await relate('PART_OF', a, b);
    await relate('PART_OF', b, c);
    const before = await rows();
    await merge(b, c);
    await merge(a, c);
    expect(codeOf(await unmerge(b, c))).toBe('CYCLE_DETECTED');
    expect(await unmerge(a, c)).toMatchObject({ unmerged: true });
    expect(await unmerge(b, c)).toMatchObject({ unmerged: true });
    expect(await rows()).toEqual(before);
  });

  test('[TR18] a past snapshot uses the merges in effect at that time', async () => {
    const { a, b, ask, merge, unmerge, clock, read } = await open();
    const times: string[] = [];
    const mark = () => {
      times.push(new Date(clock.now()).toISOString());
      clock.advance(1_000);
    };
    mark();
    await merge(a, b);
    mark();
    await unmerge(a, b);
    mark();
    await merge(a, b);
    await unmerge(a, b);
    await merge(a, b);
    mark();
    const counts = [];
    for (const as_known_at of times) {
      counts.push((await ask('get_entity_snapshot', { entity_id: a, as_known_at }))['observation_count']);
    }
    expect(counts).toEqual([1, 2, 1, 2]);
    const rows = await read((db) => journal(db)[Symbol.iterator]());
    expect(rows.map(({ unmerged_at }) => unmerged_at === null)).toEqual([false, true]);
    expect(rows[0]).toMatchObject({ source_entity_id: a, target_entity_id: b, actor: 'ada' });
  });

  test('two concurrent merges of each other do not form a cycle', async () => {
    const { a, b, c, merge, tenant, rows } = await open();
    const other = createGraphFixture(engine, tenant, await engine.openOther());
    const answer = await Promise.all([merge(a, b), other.merge(b, a), merge(b, c), other.merge(c, a)]);
    const { entities } = await rows();
    const merged = entities.filter(({ merged_into }) => merged_into !== '');
    expect(answer.filter((one) => one['merged'] === true)).toHaveLength(merged.length);
    expect(new Set(entities.map(({ root_id }) => root_id)).size).toBe(entities.length - merged.length);
    expect(merged.length).toBeGreaterThan(0);
    expect(answer.filter((one) => one['merged'] !== true).map(codeOf)).toEqual(
      answer.filter((one) => one['merged'] !== true).map(() => 'VALIDATION_ERROR'),
    );
  });

  test('loses and duplicates no observation during concurrent merges and unmerges', async () => {
    const { a, b, c, merge, unmerge, state, tenant, ask, rows } = await open();
    await merge(a, b);
    const other = createGraphFixture(engine, tenant, await engine.openOther());
    await other.ask('get_entity_snapshot', { entity_id: a });
    const rounds = 8;
    const observe = async (name: string) => {
      for (let i = 0; i < rounds; i += 1) await state(name, { day: 10 + i, stated: { tags: [`${name} ${i}`] } });
    };
    const move = async () => {
      for (let i = 0; i < rounds; i += 1) {
        expect(codeOf(await other.merge(b, c))).toBeUndefined();
        expect(codeOf(await other.unmerge(b, c))).toBeUndefined();
      }
      expect(codeOf(await other.merge(b, c))).toBeUndefined();
    };
    await Promise.all([observe('acme'), observe('cyd'), observe('acme holding'), move()]);
    expect(await ask('get_entity_snapshot', { entity_id: a })).toMatchObject({
      entity_id: c,
      observation_count: 3 + 3 * rounds,
      snapshot: { tags: expect.arrayContaining([`acme ${rounds - 1}`, `cyd ${rounds - 1}`, 'x', 'y', 'z']) },
    });
    await unmerge(b, c);
    await unmerge(a, b);
    const { entities } = await rows();
    const counts = Object.fromEntries(entities.map((row) => [row.entity_id, row.observation_count]));
    expect(counts).toEqual({ [a]: 1 + rounds, [b]: 1 + rounds, [c]: 1 + rounds });
  });

  test('counts both a merge into an entity and a concurrent observation of it', async () => {
    const { c, state, stateAll, tenant, ask } = await open();
    const other = createGraphFixture(engine, tenant, await engine.openOther());
    const parts = await stateAll(Array.from({ length: 8 }, (_, i) => `part ${i}`));
    const observe = async () => {
      for (let i = 0; i < 12; i += 1) await state('cyd', { day: 10 + i, stated: { tags: [`seen ${i}`] } });
    };
    const gather = async () => {
      for (const part of parts) expect(codeOf(await other.merge(part, c))).toBeUndefined();
    };
    await Promise.all([gather(), observe()]);
    const answer = await ask('get_entity_snapshot', { entity_id: c });
    expect(answer).toMatchObject({ observation_count: 1 + 8 + 12 });
    expect((answer['snapshot'] as { readonly tags: readonly string[] }).tags).toHaveLength(1 + 12);
  });

  test('[TR17] reduces both states again under another schema version', async () => {
    const { a, b, ask, merge, unmerge, state } = await open();
    await state('acme', { day: 4, stated: { shoe_size: 44 } });
    const schema = (await ask('list_entity_schemas', { entity_type: 'company' }))['schemas'] as readonly {
      fields: object;
    }[];
    const fields = { ...schema[0]!.fields, shoe_size: { type: 'number' } };
    await ask('register_entity_schema', { entity_type: 'company', version: '2.1', fields });
    expect(codeOf(await ask('activate_entity_schema', { entity_type: 'company', version: '2.1' }))).toBeUndefined();
    await merge(a, b);
    expect(await ask('get_entity_snapshot', { entity_id: b })).toMatchObject({
      schema_version: '2.1',
      snapshot: { shoe_size: 44 },
    });
    await unmerge(a, b);
    const { snapshot } = await ask('get_entity_snapshot', { entity_id: b });
    expect(snapshot).not.toHaveProperty('shoe_size');
    expect(await ask('get_entity_snapshot', { entity_id: a })).toMatchObject({ snapshot: { shoe_size: 44 } });
  });

  test('[TR33] limits the number of entities in a group', async () => {
    const { merge, stateAll, read } = createGraphFixture(engine);
    const [root, last, over, ...rest] = await stateAll(
      Array.from({ length: truthLimits.groupCount + 1 }, (_, i) => `one of many ${i}`),
    );
    await read(function* (db) {
      yield* db.run(sql`
        update truth_entities set merged_into = ${root!}, root_id = ${root!}
        where tenant = ${db.tenant} and entity_id in ${list(rest)}`);
    });
    expect(await merge(last!, root!)).toMatchObject({ merged: true });
    const before = await read(allRows);
    for (const [source, target] of [
      [over!, root!],
      [root!, over!],
    ] as const) {
      expect(codeOf(await merge(source, target))).toBe('RESOURCE_LIMIT');
    }
    expect(await read(allRows)).toEqual(before);
  });

  test('[TR33] limits the depth of a group', async () => {
    const { merge, stateAll, read } = createGraphFixture(engine);
    const chain = await stateAll(Array.from({ length: truthLimits.groupDepth + 2 }, (_, i) => `link ${i}`));
    for (let i = 0; i < truthLimits.groupDepth; i += 1) {
      expect(await merge(chain[i]!, chain[i + 1]!)).toMatchObject({ entities_moved: i + 1 });
    }
    const before = await read(allRows);
    expect(codeOf(await merge(chain.at(-2)!, chain.at(-1)!))).toBe('VALIDATION_ERROR');
    expect(await read(allRows)).toEqual(before);
    expect(await merge(chain.at(-1)!, chain.at(-2)!)).toMatchObject({ merged: true });
  });
});
