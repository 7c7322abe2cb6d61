import { describe, expect, test } from 'vitest';
import { embedBeforeSearch } from '../catch-up.ts';
import type { SemanticSearch } from '../semantic-search.ts';
import { type OpenSemanticSearchFixture, papers, type SemanticSearchFixture } from './semantic-search.fixture.ts';

/** What is embedded only once somebody searches by semantic, and what waits until somebody searches at all. */
export function describeOnDemand(openFixture: OpenSemanticSearchFixture): void {
  const near = async ({ call }: SemanticSearchFixture, by: SemanticSearch, text = 'cat') =>
    ((await by.nearest(call, papers, { text, limit: 10 }))?.hits ?? []).map(({ id }) => id);

  describe('a collection on demand', () => {
    test('is not embedded before its first search by semantic, and its writes leave no note', async () => {
      const study = await openFixture({ isOnDemand: true });
      await study.write({ a: 'cat', b: 'dog' });
      await study.semantic.settle();
      expect(study.embedder.embedded).toEqual([]);
      expect(await study.count('meaning_pending')).toBe(0);
      expect(await study.count('meaning_vectors')).toBe(0);
    });

    test('is embedded whole from its first search on, also what was written before', async () => {
      const study = await openFixture({ isOnDemand: true });
      await study.write({ a: 'cat', b: 'dog' });
      expect(await near(study, study.semantic)).toEqual([]);
      await study.semantic.settle();
      expect(study.embedder.embedded.toSorted()).toEqual(['cat', 'dog']);
      expect((await near(study, study.semantic))[0]).toBe('a');
    });

    test('follows the writes from then on, also those of a process in which nobody searched', async () => {
      const study = await openFixture({ isOnDemand: true });
      await near(study, study.semantic);
      await study.semantic.settle();
      const other = study.openOther();
      await study.write({ a: 'cat' }, other);
      expect(await study.count('meaning_pending')).toBe(1);
      await other.settle();
      expect(study.embedder.embedded).toEqual(['cat']);
      expect(await near(study, study.semantic)).toEqual(['a']);
    });

    test('of one tenant is not begun by the search of another', async () => {
      const study = await openFixture({ isOnDemand: true });
      const stranger = await openFixture({ isOnDemand: true, storage: study.storage, leases: study.leases });
      await study.write({ a: 'cat' });
      await near(stranger, study.semantic);
      await study.semantic.settle();
      expect(study.embedder.embedded).toEqual([]);
    });
  });

  describe('a search that catches up first', () => {
    test.each([false, true])('finds what was written a moment ago, on demand: %s', async (isOnDemand) => {
      const study = await openFixture({ isOnDemand });
      await study.write({ a: 'cat', b: 'dog' });
      expect((await near(study, embedBeforeSearch(study.semantic, 60_000)))[0]).toBe('a');
      const [vector] = await study.embedder.embed(['dog'], { purpose: 'query', signal: study.call.signal });
      await study.write({ c: 'dog dog' });
      const found = await embedBeforeSearch(study.semantic, 60_000).nearestTo(study.call, papers, {
        vector: vector!,
        limit: 10,
      });
      expect(found?.hits.map(({ id }) => id)).toContain('c');
    });

    test('waits no longer than it may, and answers with what is there', async () => {
      const study = await openFixture();
      await study.write({ a: 'cat' });
      await study.semantic.settle();
      await study.write({ b: 'cat too' });
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      study.embedder.before = () => released;
      expect(await near(study, embedBeforeSearch(study.semantic, 1))).toEqual(['a']);
      release();
      await study.semantic.settle();
      expect(await near(study, study.semantic)).toHaveLength(2);
    });

    test('answers by what is there when the embedder fails on the documents', async () => {
      const study = await openFixture();
      await study.write({ a: 'cat' });
      study.embedder.before = async () => {
        throw new Error('no');
      };
      expect(await near(study, embedBeforeSearch(study.semantic, 60_000))).toEqual([]);
    });

    test('goes by words alone where there is no embedder, without waiting', async () => {
      const study = await openFixture();
      const without = study.openOther({ embedder: async () => undefined });
      await study.write({ a: 'cat' });
      expect(
        await embedBeforeSearch(without, 60_000).nearest(study.call, papers, { text: 'cat', limit: 1 }),
      ).toBeUndefined();
      expect(study.embedder.embedded).toEqual([]);
    });
  });
}
