import { describe, expect, test } from 'vitest';
import { embedBeforeSearch } from '../catch-up.ts';
import type { SemanticSearch } from '../semantic-search.ts';
import { type OpenSemanticSearchFixture, papers, type SemanticSearchFixture } from './semantic-search.fixture.ts';

export function describeOnDemand(openFixture: OpenSemanticSearchFixture): void {
  const near = async ({ call }: SemanticSearchFixture, by: SemanticSearch, text = 'cat') =>
    ((await by.nearest(call, papers, { text, limit: 10 }))?.hits ?? []).map(({ id }) => id);

  describe('a collection on demand', () => {
    test('is not embedded and records no writes before its first semantic search', async () => {
      const fixture = await openFixture({ isOnDemand: true });
      await fixture.write({ a: 'cat', b: 'dog' });
      await fixture.semantic.settle();
      expect(fixture.embedder.embedded).toEqual([]);
      expect(await fixture.count('meaning_pending')).toBe(0);
      expect(await fixture.count('meaning_vectors')).toBe(0);
    });

    test('is embedded completely from its first search on', async () => {
      const fixture = await openFixture({ isOnDemand: true });
      await fixture.write({ a: 'cat', b: 'dog' });
      expect(await near(fixture, fixture.semantic)).toEqual([]);
      await fixture.semantic.settle();
      expect(fixture.embedder.embedded.toSorted()).toEqual(['cat', 'dog']);
      expect((await near(fixture, fixture.semantic))[0]).toBe('a');
    });

    test('follows writes from then on, also those of a process without searches', async () => {
      const fixture = await openFixture({ isOnDemand: true });
      await near(fixture, fixture.semantic);
      await fixture.semantic.settle();
      const other = fixture.openOther();
      await fixture.write({ a: 'cat' }, other);
      expect(await fixture.count('meaning_pending')).toBe(1);
      await other.settle();
      expect(fixture.embedder.embedded).toEqual(['cat']);
      expect(await near(fixture, fixture.semantic)).toEqual(['a']);
    });

    test('is not started by the search of another tenant', async () => {
      const fixture = await openFixture({ isOnDemand: true });
      const stranger = await openFixture({ isOnDemand: true, storage: fixture.storage, leases: fixture.leases });
      await fixture.write({ a: 'cat' });
      await near(stranger, fixture.semantic);
      await fixture.semantic.settle();
      expect(fixture.embedder.embedded).toEqual([]);
    });
  });

  describe('a search that embeds pending documents first', () => {
    test.each([false, true])('finds what was written a moment ago, on demand: %s', async (isOnDemand) => {
      const fixture = await openFixture({ isOnDemand });
      await fixture.write({ a: 'cat', b: 'dog' });
      expect((await near(fixture, embedBeforeSearch(fixture.semantic, 60_000)))[0]).toBe('a');
      const [vector] = await fixture.embedder.embed(['dog'], { purpose: 'query', signal: fixture.call.signal });
      await fixture.write({ c: 'dog dog' });
      const found = await embedBeforeSearch(fixture.semantic, 60_000).nearestTo(fixture.call, papers, {
        vector: vector!,
        limit: 10,
      });
      expect(found?.hits.map(({ id }) => id)).toContain('c');
    });

    test('waits at most as long as allowed, and answers with what is embedded', async () => {
      const fixture = await openFixture();
      await fixture.write({ a: 'cat' });
      await fixture.semantic.settle();
      await fixture.write({ b: 'cat too' });
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      fixture.embedder.before = () => released;
      expect(await near(fixture, embedBeforeSearch(fixture.semantic, 1))).toEqual(['a']);
      release();
      await fixture.semantic.settle();
      expect(await near(fixture, fixture.semantic)).toHaveLength(2);
    });

    test('does not wait if the query is impatient', async () => {
      const fixture = await openFixture();
      await fixture.write({ a: 'cat' });
      const query = { text: 'cat', limit: 1, isPatient: false };
      const found = await embedBeforeSearch(fixture.semantic, 60_000).nearest(fixture.call, papers, query);
      expect(found?.hits).toEqual([]);
      expect(fixture.embedder.embedded).toEqual([]);
    });

    test('answers with what is embedded if the embedder fails', async () => {
      const fixture = await openFixture();
      await fixture.write({ a: 'cat' });
      fixture.embedder.before = async () => {
        throw new Error('no');
      };
      expect(await near(fixture, embedBeforeSearch(fixture.semantic, 60_000))).toEqual([]);
    });

    test('does not wait without an embedder', async () => {
      const fixture = await openFixture();
      const without = fixture.openOther({ embedder: async () => undefined });
      await fixture.write({ a: 'cat' });
      expect(
        await embedBeforeSearch(without, 60_000).nearest(fixture.call, papers, { text: 'cat', limit: 1 }),
      ).toBeUndefined();
      expect(fixture.embedder.embedded).toEqual([]);
    });
  });
}
