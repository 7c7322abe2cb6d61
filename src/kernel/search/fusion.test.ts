import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuseRankings, fusionK } from './fusion.ts';

const idsArbitrary = fc.uniqueArray(fc.constantFrom(...'abcdefghij'), { maxLength: 10 });
const rankingsArbitrary = fc.array(
  fc.record({ ids: idsArbitrary, weight: fc.double({ min: 0.1, max: 2, noNaN: true }) }),
  {
    maxLength: 4,
  },
);
const idsOf = (hits: ReturnType<typeof fuseRankings>) => hits.map(({ id }) => id);

test('what stands in both rankings comes before what stands as high in one', () => {
  const fused = fuseRankings([
    { ids: ['a', 'b'], weight: 1 },
    { ids: ['b', 'c'], weight: 0.5 },
  ]);
  expect(idsOf(fused)).toEqual(['b', 'a', 'c']);
  expect(fused[0]).toEqual({ id: 'b', score: 1 / (fusionK + 2) + 0.5 / (fusionK + 1), ranks: [2, 1] });
  expect(fused[2]?.ranks).toEqual([undefined, 2]);
});

test('every id comes once, by score and then by id', () => {
  fc.assert(
    fc.property(rankingsArbitrary, (rankings) => {
      const fused = fuseRankings(rankings);
      expect(idsOf(fused).toSorted()).toEqual([...new Set(rankings.flatMap(({ ids }) => ids))].toSorted());
      for (let i = 1; i < fused.length; i += 1) {
        const [before, after] = [fused[i - 1]!, fused[i]!];
        expect(before.score > after.score || (before.score === after.score && before.id < after.id)).toBe(true);
      }
    }),
  );
});

test('one ranking alone, or several that agree, keep their order', () => {
  fc.assert(
    fc.property(idsArbitrary, fc.array(fc.constantFrom(0.5, 1, 2), { minLength: 1, maxLength: 3 }), (ids, weights) => {
      expect(idsOf(fuseRankings(weights.map((weight) => ({ ids, weight }))))).toEqual(ids);
    }),
  );
});

test('rising in a ranking never lowers an id', () => {
  fc.assert(
    fc.property(rankingsArbitrary, fc.nat(9), (rankings, at) => {
      const first = rankings[0];
      if (first === undefined || at === 0 || at >= first.ids.length) return;
      const ids = [...first.ids];
      [ids[at - 1], ids[at]] = [ids[at]!, ids[at - 1]!];
      const id = first.ids[at]!;
      const place = (hits: ReturnType<typeof fuseRankings>) => idsOf(hits).indexOf(id);
      expect(place(fuseRankings([{ ...first, ids }, ...rankings.slice(1)]))).toBeLessThanOrEqual(
        place(fuseRankings(rankings)),
      );
    }),
  );
});

test('an id told twice counts where it stands first', () => {
  expect(fuseRankings([{ ids: ['a', 'b', 'a'], weight: 1 }])[0]).toEqual({
    id: 'a',
    score: 1 / (fusionK + 1),
    ranks: [1],
  });
});
