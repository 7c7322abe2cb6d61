import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fault } from '#kernel/fault/fault.ts';
import { describeTruth } from '../observations/truth.fixture.ts';
import { leadsTo, type SearchBounds } from './find-cycle.ts';
import { openGraph } from './graph.fixture.ts';

const nodes = Array.from({ length: 9 }, (_, i) => `ent_${i}`);
const node = fc.nat({ max: nodes.length - 1 });
/** From the smaller to the larger: no circle. */
const edges = fc.uniqueArray(
  fc.tuple(node, node).filter(([a, b]) => a < b),
  { maxLength: 16, selector: String },
);

type Pair = readonly [number, number];

const isReached = (all: readonly Pair[], from: number, to: number, skipsDirect: boolean): boolean =>
  all.some(([a, b]) => a === from && ((b === to && !skipsDirect) || (b !== to && isReached(all, b, to, false))));

describeTruth('the search for a cycle', (engine) => {
  const open = async (all: readonly Pair[]) => {
    const graph = openGraph(engine);
    for (const source of new Set(all.map(([a]) => a))) {
      await graph.relateAll(
        'PART_OF',
        nodes[source]!,
        all.filter(([a]) => a === source).map(([, b]) => nodes[b]!),
      );
    }
    return (from: number, to: number, skipsDirect: boolean, bounds?: SearchBounds) =>
      graph.read((db) => leadsTo(db, 'PART_OF', nodes[from]!, nodes[to]!, skipsDirect, bounds));
  };

  test('[TR22] what is found is what a plain walk finds, however far each look goes', async () => {
    await fc.assert(
      fc.asyncProperty(
        edges,
        node,
        node,
        fc.boolean(),
        fc.integer({ min: 1, max: 4 }),
        async (all, from, to, skips, first) => {
          const search = await open(all);
          expect(await search(from, to, skips, { firstVisitedCount: first, visitedCount: 100 })).toBe(
            isReached(all, from, to, skips),
          );
        },
      ),
      { numRuns: engine.kind === 'sqlite' ? 60 : 20 },
    );
  });

  const chain = (from: number, to: number): readonly Pair[] =>
    Array.from({ length: to - from }, (_, i) => [from + i, from + i + 1] as const);
  const tight = { firstVisitedCount: 1, visitedCount: 3 };

  test('a walk that is too long on both sides is given up with a fault', async () => {
    const search = await open([...chain(0, 4), ...chain(5, 8)]);
    const given = await search(0, 8, false, tight).catch((error: unknown) => error);
    expect(given).toBeInstanceOf(Fault);
    expect(given).toMatchObject({ code: 'RESOURCE_LIMIT', details: { relationship_type: 'PART_OF' } });
  });

  test('the shorter side decides', async () => {
    const search = await open([...chain(0, 4), ...chain(6, 8)]);
    expect(await search(0, 8, false, tight)).toBe(false);
    expect(await search(0, 5, false, tight)).toBe(false);
    expect(await search(5, 0, false, tight)).toBe(false);
  });
});
