import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '#kernel/json/canonical.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import type { ToolAnswer } from '#tests/support/open-toolset.ts';
import { type EntityRow, findEntities } from '../entities/entity-store.ts';
import { toObservation } from '../entities/reduce-rows.ts';
import type { Observation } from '../observations/observation.ts';
import { type EntityState, emptyState, printState } from '../reducer/entity-state.ts';
import { reduceAll, reduceNewer, replaceCorrections } from '../reducer/reducer.ts';
import { createGraphFixture } from '../relationships/graph.fixture.ts';
import { documentedTypes } from '../relationships/relationship-types/builtin-types.ts';
import { defaultSchema } from '../schemas/builtin-schemas.ts';
import type { EntitySchema } from '../schemas/entity-schema.ts';
import { codeOf, describeTruth } from '../truth.fixture.ts';
import { type AllRows, allRows } from './merge-rows.fixture.ts';

const relationshipTypes = documentedTypes.map(({ relationship_type }) => relationship_type);
const names = ['ada ltd', 'bob', 'cyd', 'dot', 'eva'];
const who = fc.nat({ max: names.length - 1 });

const op = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('state' as const),
      who,
      day: fc.nat({ max: 3 }),
      /** Of the statement, from now. */
      startMs: fc.integer({ min: -3, max: 4 }),
      lastsMs: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, fc.integer({ min: 1, max: 6 })),
      correction: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, fc.constantFrom('lasting', 'until_newer')),
      ended: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, fc.subarray(['address', 'tags'])),
      stated: fc.record(
        {
          address: fc.constantFrom('Old Street', 'New Street', 7, null),
          description: fc.constantFrom('short', 'long'),
          tags: fc.subarray(['x', 'y', 'z']),
          shoe_size: fc.nat({ max: 2 }),
        },
        { requiredKeys: [] },
      ),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('merge' as const), who, whom: who }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('unmerge' as const), who, whom: who }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('relate' as const),
      who,
      whom: who,
      type: fc.constantFrom(...relationshipTypes),
    }),
  },
);

/** What holds at that time, with corrections that give way. */
function reduceAt(observations: readonly Observation[], schema: EntitySchema, now: number): EntityState {
  const holding = observations.filter(
    ({ effectiveAt, effectiveUntil }) => effectiveAt <= now && (effectiveUntil === null || effectiveUntil > now),
  );
  const state = reduceAll(holding, schema);
  return replaceCorrections(state, reduceNewer(emptyState, state, holding, schema));
}

/** The expected rows, computed directly from the list of merges. */
function expectRebuilt(rows: AllRows, now: number): void {
  const { entities, observations } = rows;
  const byId = new Map(entities.map((row) => [row.entity_id, row]));
  const pathOf = (id: string): readonly string[] => {
    const { merged_into } = byId.get(id)!;
    return merged_into === '' ? [id] : [id, ...pathOf(merged_into)];
  };
  for (const row of entities) {
    const own = observations.filter(({ entity_id }) => pathOf(entity_id).includes(row.entity_id));
    const times = own.flatMap(({ effective_at, effective_until }) => [effective_at, effective_until ?? 0]);
    const next = times.filter((time) => time > now).sort((a, b) => a - b)[0] ?? null;
    const isOutdated = row.next_change_at !== null && row.next_change_at <= now;
    const state = reduceAt(own.map(toObservation), defaultSchema(row.entity_type), now);
    expect(row).toMatchObject({
      root_id: pathOf(row.entity_id).at(-1),
      observation_count: own.length,
      last_observed_at: Math.max(...own.map(({ observed_at }) => observed_at)),
      last_recorded_at: Math.max(...own.map(({ created_at }) => created_at)),
      ...(isOutdated ? {} : { state: printState(state), next_change_at: next }),
    });
  }
  for (const edge of rows.relationships) {
    expect(edge.source_root_id).toBe(pathOf(edge.source_entity_id).at(-1));
    expect(edge.target_root_id).toBe(pathOf(edge.target_entity_id).at(-1));
  }
  expect(rows.totals.find(({ kind }) => kind === 'entities')!.count).toBe(
    entities.filter(({ merged_into }) => merged_into === '').length,
  );
}

/** Between groups, for each type separately. */
function expectNoCircle(rows: AllRows): void {
  for (const type of relationshipTypes.filter((each) => each !== 'REFERS_TO')) {
    const edges = rows.relationships
      .filter((edge) => edge.relationship_type === type)
      .map((edge) => [edge.source_root_id, edge.target_root_id] as const)
      .filter(([source, target]) => source !== target);
    let left = edges;
    for (;;) {
      const sources = new Set(left.map(([source]) => source));
      const next = left.filter(([, target]) => sources.has(target));
      if (next.length === left.length) break;
      left = next;
    }
    expect(left).toEqual([]);
  }
}

describeTruth('random merge histories', (engine) => {
  const runsCount = engine.kind === 'sqlite' ? 25 : 8;

  test('[TR16] [TR20] rows equal a rebuild at every step, and at the end those of a store that never merged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(op, { minLength: 4, maxLength: 14 }), async (ops) => {
        const graph = createGraphFixture(engine);
        const twin = createGraphFixture(engine);
        const ids: string[] = [];
        for (const name of names) {
          ids.push(await graph.state(name));
          await twin.state(name);
        }
        const rows = (): Promise<AllRows> => graph.read(allRows);
        for (const one of ops) {
          engine.clock.advance(1);
          if (one.kind === 'state') {
            const effectiveAt = engine.clock.now() + one.startMs;
            const effectiveUntil = one.lastsMs === null ? null : effectiveAt + one.lastsMs;
            const statement = {
              day: one.day,
              stated: one.stated as Record<string, Json>,
              ended: one.ended,
              source: {
                period: { effectiveAt, effectiveUntil },
                kind: one.correction === null ? ('payload' as const) : ('correction' as const),
                isUntilNewer: one.correction === 'until_newer',
              },
            };
            await graph.state(names[one.who]!, statement);
            await twin.state(names[one.who]!, statement);
          } else if (one.kind === 'relate') {
            const answer = await graph.relate(one.type, ids[one.who]!, ids[one.whom]!);
            if (codeOf(answer) === undefined)
              expect(codeOf(await twin.relate(one.type, ids[one.who]!, ids[one.whom]!))).toBeUndefined();
          } else {
            const answer = await graph[one.kind](ids[one.who]!, ids[one.whom]!);
            expect([undefined, 'VALIDATION_ERROR', 'CYCLE_DETECTED']).toContain(codeOf(answer));
          }
          expectRebuilt(await rows(), engine.clock.now());
          expectNoCircle(await rows());
        }
        await unmergeAll(graph, ids);
        // Nothing begins or ends any more, and the next write reduces what is outdated.
        engine.clock.advance(100);
        for (const name of names) for (const store of [graph, twin]) await store.state(name);
        expect(await rows()).toEqual(await twin.read(allRows));
      }),
      { numRuns: runsCount },
    );
  });

  type Graph = ReturnType<typeof createGraphFixture>;

  /** In any valid order. */
  async function unmergeAll({ unmerge, read }: Graph, ids: readonly string[]): Promise<void> {
    const merged = () => read(mergedOf(ids));
    for (let left = await merged(); left.length > 0; ) {
      const answer: ToolAnswer[] = [];
      for (const { entity_id, merged_into } of left) answer.push(await unmerge(entity_id, merged_into));
      const next = await merged();
      expect(next.length, JSON.stringify(answer)).toBeLessThan(left.length);
      left = next;
    }
  }

  const mergedOf = (ids: readonly string[]) =>
    function* (db: Reader): Work<readonly EntityRow[]> {
      return (yield* findEntities(db, ids)).filter(({ merged_into }) => merged_into !== '');
    };
});
