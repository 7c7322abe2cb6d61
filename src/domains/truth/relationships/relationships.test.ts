import { expect, test } from 'vitest';
import { codeOf, describeTruth } from '../truth.fixture.ts';
import { truthLimits } from '../truth-limits.ts';
import { createGraphFixture } from './graph.fixture.ts';
import { relationshipIdOf } from './relationship-id.ts';
import { documentedTypes } from './relationship-types/builtin-types.ts';

const relationshipTypes = documentedTypes.map(({ relationship_type }) => relationship_type);

describeTruth('relationships', (engine) => {
  const open = async () => {
    const graph = createGraphFixture(engine);
    const [a, b, c] = [await graph.state('ada'), await graph.state('bob'), await graph.state('cyd')];
    return { ...graph, a, b, c };
  };

  test('[TR22] an edge has the documented shape and is listed at both ends', async () => {
    const { a, b, relate, ask, clock } = await open();
    const created_at = new Date(clock.now()).toISOString();
    const shown = {
      id: relationshipIdOf('PART_OF', a, b),
      relationship_type: 'PART_OF',
      source_entity_id: a,
      target_entity_id: b,
      metadata: { share: 0.5, __proto: 1 },
      created_at,
    };
    expect(await relate('PART_OF', a, b, { share: 0.5, __proto: 1 })).toEqual({ ...shown, created: true });
    for (const entity_id of [a, b]) {
      expect(await ask('list_relationships', { entity_id })).toEqual({
        ...{ relationships: [shown], total: 1, limit: 100, offset: 0 },
      });
    }
    expect(await ask('list_relationships', { entity_id: a, direction: 'inbound' })).toMatchObject({ total: 0 });
    expect(await ask('list_relationships', { entity_id: b, direction: 'outbound' })).toMatchObject({ total: 0 });
    expect(await ask('list_relationships', { entity_id: b, direction: 'inbound' })).toMatchObject({ total: 1 });
  });

  test('[TR22] creating an edge again answers the first one', async () => {
    const { a, b, relate, clock } = await open();
    const first = await relate('SETTLES', a, b, { late: true });
    clock.advance(1_000);
    expect(await relate('SETTLES', a, b, { late: true })).toEqual({ ...first, created: false });
    expect(await relate('settles', a, b)).toEqual({ ...first, created: false });
  });

  test('[TR22] requires both ends to exist in the same tenant', async () => {
    const { a, b, relate, ask } = await open();
    const other = createGraphFixture(engine);
    const foreign = await other.state('zoe');
    for (const [source, target] of [
      [a, foreign],
      [foreign, b],
      [a, 'ent_0'],
      ['ent_0', b],
      ['ent_0', 'ent_0'],
    ] as const) {
      expect(codeOf(await relate('PART_OF', source, target))).toBe('ENTITY_NOT_FOUND');
    }
    await relate('PART_OF', a, b);
    expect(codeOf(await other.ask('list_relationships', { entity_id: a }))).toBe('ENTITY_NOT_FOUND');
    expect(codeOf(await other.ask('get_related_entities', { entity_id: a }))).toBe('ENTITY_NOT_FOUND');
    expect(codeOf(await ask('get_graph_neighborhood', { node_id: foreign, node_type: 'entity' }))).toBe(
      'ENTITY_NOT_FOUND',
    );
    expect(await other.edgesOf(foreign)).toEqual([]);
  });

  test('[TR22] rejects a loop in every type', async () => {
    const { a, relate, edgesOf } = await open();
    for (const type of relationshipTypes) expect(codeOf(await relate(type, a, a))).toBe('CYCLE_DETECTED');
    expect(await edgesOf(a)).toEqual([]);
  });

  test.for(relationshipTypes.filter((type) => type !== 'REFERS_TO'))(
    '[TR22] rejects a cycle of %s of any length, and ignores other types',
    async (type) => {
      const { a, b, c, relate, edgesOf } = await open();
      const otherType = type === 'PART_OF' ? 'CORRECTS' : 'PART_OF';
      await relate(type, a, b);
      expect(codeOf(await relate(type, b, a))).toBe('CYCLE_DETECTED');
      expect(await relate(otherType, b, a)).toMatchObject({ created: true });
      await relate(type, b, c);
      expect(codeOf(await relate(type, c, a))).toBe('CYCLE_DETECTED');
      expect(await relate(type, a, c)).toMatchObject({ created: true });
      expect(await relate('REFERS_TO', c, a)).toMatchObject({ created: true });
      expect((await edgesOf(c)).map(({ relationship_type }) => relationship_type).sort()).toEqual(
        [type, type, 'REFERS_TO'].sort(),
      );
    },
  );

  test('[TR22] references may be mutual', async () => {
    const { a, b, relate } = await open();
    await relate('REFERS_TO', a, b);
    expect(await relate('REFERS_TO', b, a)).toMatchObject({ created: true });
  });

  test('[TR22] two concurrent writers cannot close a cycle together', async () => {
    const { a, b, c, relate, tenant } = await open();
    const others = createGraphFixture(engine, tenant, await engine.openOther());
    // Both have written before, so that they start at the same time.
    await Promise.all([relate('REFERS_TO', a, b), others.relate('REFERS_TO', b, a)]);
    for (const type of relationshipTypes.filter((each) => each !== 'REFERS_TO')) {
      const answer = await Promise.all([
        relate(type, a, b),
        others.relate(type, b, c),
        relate(type, c, a),
        others.relate(type, b, a),
      ]);
      const codes = answer.map(codeOf);
      expect(codes.filter((code) => code !== undefined && code !== 'CYCLE_DETECTED')).toEqual([]);
      const areCreated = (...edges: readonly number[]) => edges.every((at) => codes[at] === undefined);
      expect([type, areCreated(0, 1, 2), areCreated(0, 3)]).toEqual([type, false, false]);
      expect(codes).toContain(undefined);
    }
  });

  test('[TR22] two concurrent writers of one edge create one', async () => {
    const { a, b, relate, edgesOf, tenant } = await open();
    const others = createGraphFixture(engine, tenant, await engine.openOther());
    const answer = await Promise.all([relate('PART_OF', a, b), others.relate('PART_OF', a, b)]);
    expect(answer.filter((one) => one['created'] === true)).toHaveLength(1);
    expect(answer.map(codeOf)).toEqual([undefined, undefined]);
    expect(await edgesOf(a)).toHaveLength(1);
  });

  test('rejects an unknown type with its own code and writes nothing', async () => {
    const { a, b, relate, ask, edgesOf } = await open();
    for (const type of ['LIKES', 'PART/OF', '', null, 7, ['PART_OF'], '__proto__']) {
      expect(
        codeOf(await ask('create_relationship', { relationship_type: type, source_entity_id: a, target_entity_id: b })),
      ).toBe('INVALID_RELATIONSHIP_TYPE');
    }
    expect(codeOf(await ask('list_relationships', { entity_id: a, relationship_type: 'LIKES' }))).toBe(
      'INVALID_RELATIONSHIP_TYPE',
    );
    expect(codeOf(await ask('get_related_entities', { entity_id: a, relationship_types: ['PART_OF', 'LIKES'] }))).toBe(
      'INVALID_RELATIONSHIP_TYPE',
    );
    expect(await relate('PART_OF', a, b)).toMatchObject({ created: true });
    expect(await edgesOf(a)).toHaveLength(1);
  });

  const deep = (levels: number): unknown => (levels === 0 ? 1 : { in: deep(levels - 1) });

  test('rejects invalid input without a change', async () => {
    const { a, b, ask, edgesOf } = await open();
    const good = { relationship_type: 'PART_OF', source_entity_id: a, target_entity_id: b };
    for (const bad of [
      { source_entity_id: 'pad_1' },
      { source_entity_id: '' },
      { target_entity_id: null },
      { target_entity_id: `${b}\u0000` },
      { metadata: [] },
      { metadata: null },
      { metadata: 'x' },
      { metadata: { big: 'x'.repeat(truthLimits.metadataBytes) } },
      { metadata: { far: Number.POSITIVE_INFINITY } },
      { metadata: deep(truthLimits.metadataDepth + 1) },
      { surplus: 1 },
    ]) {
      expect([bad, codeOf(await ask('create_relationship', { ...good, ...bad }))]).toEqual([
        bad,
        expect.stringMatching(/^(VALIDATION_ERROR|INVALID_PARAMS)$/),
      ]);
    }
    for (const bad of [{ limit: 0 }, { limit: 1_001 }, { offset: -1 }, { offset: 100_001 }, { direction: 'up' }]) {
      expect(codeOf(await ask('list_relationships', { entity_id: a, ...bad }))).toMatch(
        /VALIDATION_ERROR|INVALID_PARAMS/,
      );
    }
    expect(await edgesOf(a)).toEqual([]);
    const metadata = deep(truthLimits.metadataDepth);
    expect(await ask('create_relationship', { ...good, metadata })).toMatchObject({ metadata });
  });

  test('lists newest first, then by id, and the pages are complete', async () => {
    const { a, relate, ask, edgesOf, state, clock } = await open();
    for (let i = 0; i < 12; i += 1) {
      const other = await state(`other ${i}`);
      if (i % 3 === 0) clock.advance(10);
      await (i % 2 === 0 ? relate('PART_OF', a, other) : relate(i % 3 === 0 ? 'REFERS_TO' : 'SETTLES', other, a));
    }
    const all = await edgesOf(a);
    expect(all).toHaveLength(12);
    expect(all).toEqual(all.toSorted((x, y) => y.created_at.localeCompare(x.created_at) || (x.id < y.id ? -1 : 1)));
    const pages = [];
    for (let offset = 0; offset < 15; offset += 5) {
      const page = await ask('list_relationships', { entity_id: a, limit: 5, offset });
      expect(page).toMatchObject({ total: 12, limit: 5, offset });
      pages.push(...(page['relationships'] as object[]));
    }
    expect(pages).toEqual(all);
    expect(await ask('list_relationships', { entity_id: a, offset: 12 })).toMatchObject({
      relationships: [],
      total: 12,
    });
    expect(await ask('list_relationships', { entity_id: a, relationship_type: 'PART_OF', limit: 2 })).toMatchObject({
      total: 6,
    });
    expect(await edgesOf(a, { relationship_type: 'SETTLES' })).toEqual(
      all.filter((one) => one.relationship_type === 'SETTLES'),
    );
  });
});
