import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fault } from '#kernel/fault/fault.ts';
import { describeTruth } from '../truth.fixture.ts';
import { hasPath, type VisitLimits } from './find-cycle.ts';
import { createGraphFixture } from './graph.fixture.ts';

const nodes = Array.from({ length: 9 }, (_, i) => `ent_${i}`);
const node = fc.nat({ max: nodes.length - 1 });
/** Always from smaller to larger, so there is never a cycle. */
const edges = fc.uniqueArray(
  fc.tuple(node, node).filter(([a, b]) => a < b),
  { maxLength: 16, selector: String },
);

type Pair = readonly [number, number];

const isReached = (all: readonly Pair[], from: number, to: number, skipsDirect: boolean): boolean =>
  all.some(([a, b]) => a === from && ((b === to && !skipsDirect) || (b !== to && isReached(all, b, to, false))));

describeTruth('cycle search', (engine) => {
  const open = async (all: readonly Pair[]) => {
    const graph = createGraphFixture(engine);
    for (const source of new Set(all.map(([a]) => a))) {
      await graph.relateAll(
        'PART_OF',
        nodes[source]!,
        all.filter(([a]) => a === source).map(([, b]) => nodes[b]!),
      );
    }
    return (from: number, to: number, skipsDirect: boolean, bounds?: VisitLimits) =>
      graph.read((db) => hasPath(db, 'PART_OF', nodes[from]!, nodes[to]!, skipsDirect, bounds));
  };

  test('[TR22] finds the same as a simple walk, for any step size', async () => {
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

  test('gives up with a fault if the walk is too long in both directions', async () => {
    const search = await open([...chain(0, 4), ...chain(5, 8)]);
    const given = await search(0, 8, false, tight).catch((error: unknown) => error);
    expect(given).toBeInstanceOf(Fault);
    expect(given).toMatchObject({ code: 'RESOURCE_LIMIT', details: { relationship_type: 'PART_OF' } });
  });

  test('the shorter direction decides', async () => {
    const search = await open([...chain(0, 4), ...chain(6, 8)]);
    expect(await search(0, 8, false, tight)).toBe(false);
    expect(await search(0, 5, false, tight)).toBe(false);
    expect(await search(5, 0, false, tight)).toBe(false);
  });
});
