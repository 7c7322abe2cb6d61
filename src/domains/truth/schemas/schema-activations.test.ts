import { expect, test } from 'vitest';
import { createEntitiesFixture } from '../entities/entities.fixture.ts';
import { codeOf, describeTruth, invoice } from '../truth.fixture.ts';
import { builtinSchemas } from './builtin-schemas.ts';

const iso = (ms: number) => new Date(ms).toISOString();

describeTruth('[TR47] schema activations', (engine) => {
  const open = async () => {
    const one = createEntitiesFixture(engine);
    const { fields } = builtinSchemas.get('invoice')!;
    const { entity_id } = (await one.submit(invoice({ colour: 'red' }))).entities[0]!;
    const change = async (name: string, version: string, more: object = {}) => {
      const args = { entity_type: 'invoice', version, ...more };
      expect(codeOf(await one.ask(`${name}_entity_schema`, args))).toBeUndefined();
    };
    return {
      ...one,
      entity_id,
      register: (version: string, more: object) => change('register', version, { fields: { ...fields, ...more } }),
      activate: (version: string) => change('activate', version),
      async shown(moment: object = {}) {
        const answer = await one.ask('get_entity_snapshot', { entity_id, ...moment });
        const snapshot = answer['snapshot'] as { readonly colour?: unknown };
        const raw = answer['raw_fragments'] as { readonly colour?: unknown } | undefined;
        return [answer['schema_version'], snapshot.colour ?? null, raw?.colour ?? null];
      },
    };
  };

  test('do not change what was known before', async () => {
    const { register, activate, shown } = await open();
    const first = engine.clock.now();
    const before = ['2.0', null, 'red'];
    const after = ['2.1', 'red', null];
    expect(await shown({ as_known_at: iso(first) })).toEqual(before);
    await register('2.1', { colour: { type: 'string' } });
    engine.clock.advance(1_000);
    await activate('2.1');
    const second = engine.clock.now();
    engine.clock.advance(1_000);
    expect(await shown()).toEqual(after);
    // A question about another time of the facts is answered with what is known now.
    expect(await shown({ at: iso(first) })).toEqual(after);
    expect(await shown({ as_known_at: iso(first) })).toEqual(before);
    expect(await shown({ as_known_at: iso(second - 1) })).toEqual(before);
    expect(await shown({ as_known_at: iso(second) })).toEqual(after);
  });

  test('each has a start and an end, also when an earlier version is active again', async () => {
    const { register, activate, shown } = await open();
    await register('2.1', { tags: { type: 'array', strategy: 'last_write' } });
    const versions: [number, string][] = [[engine.clock.now(), '2.0']];
    for (const version of ['2.1', '2.0', '2.1']) {
      engine.clock.advance(1_000);
      await activate(version);
      versions.push([engine.clock.now(), version]);
    }
    engine.clock.advance(1_000);
    expect((await shown())[0]).toBe('2.1');
    for (const [at, version] of versions) {
      expect([at, (await shown({ as_known_at: iso(at) }))[0]]).toEqual([at, version]);
      expect([at, (await shown({ as_known_at: iso(at + 999) }))[0]]).toEqual([at, version]);
    }
  });

  test('of several in one millisecond the last one counts', async () => {
    const { register, activate, shown } = await open();
    const first = engine.clock.now();
    await register('2.1', { tags: { type: 'array', strategy: 'last_write' } });
    await register('2.2', { colour: { type: 'string' } });
    engine.clock.advance(1_000);
    for (const version of ['2.1', '2.0', '2.2']) await activate(version);
    const second = engine.clock.now();
    engine.clock.advance(1_000);
    expect(await shown({ as_known_at: iso(second - 1) })).toEqual(['2.0', null, 'red']);
    expect(await shown({ as_known_at: iso(second) })).toEqual(['2.2', 'red', null]);
    expect(await shown({ as_known_at: iso(first) })).toEqual(['2.0', null, 'red']);
  });

  test('a write after an activation does not change the answer about the time before', async () => {
    const { register, activate, shown, submit, entity_id, ask } = await open();
    const first = engine.clock.now();
    await register('2.1', { colour: { type: 'string' } });
    engine.clock.advance(1_000);
    await activate('2.1');
    await submit(invoice({ colour: 'blue' }, { extracted_at: '2025-02-01T00:00:00Z' }));
    engine.clock.advance(1_000);
    expect(await shown()).toEqual(['2.1', 'blue', null]);
    expect(await shown({ as_known_at: iso(first) })).toEqual(['2.0', null, 'red']);
    // Observations keep the version that they were recorded with.
    const { observations } = await ask('list_observations', { entity_id });
    expect((observations as { schema_version: string }[]).map((one) => one.schema_version)).toEqual(['2.1', '2.0']);
  });
});
