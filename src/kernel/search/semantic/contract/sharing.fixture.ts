import { describe, expect, test } from 'vitest';
import { createManualClock } from '../../../clock/clock.ts';
import { createDebugEmbedder, TextRejectedError } from '../../../embed/embedder.ts';
import { searchLimits } from '../../search-limits.ts';
import { createCountingEmbedder, type OpenSemanticSearchFixture, papers } from './semantic-search.fixture.ts';

export function describeSharing(openFixture: OpenSemanticSearchFixture): void {
  describe('tenants', () => {
    test('finds nothing of another tenant, and does not let it change results', async () => {
      const one = await openFixture();
      const other = await openFixture({ storage: one.storage });
      await one.write({ a: 'cat', b: 'dog' });
      await one.semantic.settle();
      const ask = async () => (await one.semantic.nearest(one.call, papers, { text: 'cat', limit: 9 }))?.hits;
      const before = await ask();
      await other.write({ a: 'cat cat', secret: 'cat' });
      await other.semantic.settle();
      expect(await ask()).toEqual(before);
      expect((await other.find('cat')).toSorted()).toEqual(['a', 'secret']);
      await other.erase('a', 'secret');
      expect(await ask()).toEqual(before);
      // The same process serves both.
      expect(await one.semantic.nearest(other.call, papers, { text: 'cat', limit: 9 })).toMatchObject({ hits: [] });
    });
  });

  describe('several processes', () => {
    test('share the work and do nothing twice', async () => {
      const { semantic, write, openOther, embedder } = await openFixture();
      const others = [openOther(), openOther()];
      await write(Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`d${i}`, `text ${i}`])));
      await Promise.all([semantic, ...others].map((each) => each.settle()));
      expect(embedder.embedded.toSorted()).toEqual(Array.from({ length: 200 }, (_, i) => `text ${i}`).toSorted());
    });

    test('pending documents survive the process that noted them', async () => {
      const { semantic, write, openOther, embedder, find, count } = await openFixture();
      await write({ a: 'cat' });
      await semantic.close();
      expect(embedder.embedded).toEqual([]);
      expect(await count('meaning_pending')).toBe(1);
      const other = openOther();
      await other.settle();
      expect(await find('cat', other)).toEqual(['a']);
    });

    test('with different models, the later process wins and the other one stops', async () => {
      const { semantic, write, openOther, embedder } = await openFixture();
      const newer = createCountingEmbedder('newer');
      await write({ a: 'cat' });
      await semantic.settle();
      const other = openOther({ embedder: async () => newer });
      await other.settle();
      await semantic.settle();
      await other.settle();
      expect(newer.embedded).toEqual(['cat']);
      expect(embedder.embedded).toEqual(['cat']);
    });

    test('documents written without an embedder are embedded by a process that has one', async () => {
      const { semantic, write, openOther, find, call, count } = await openFixture();
      const without = openOther({ embedder: async () => undefined });
      await write({ a: 'cat' });
      await semantic.settle();
      expect(await without.nearest(call, papers, { text: 'cat', limit: 1 })).toBeUndefined();
      expect(await without.progress(call, papers)).toEqual({ embedder: undefined, embedded: 0, pending: 0 });
      await write({ b: 'cat too' }, without);
      await write({ c: 'cat as well' }, without);
      expect(await count('meaning_pending')).toBe(0);
      await semantic.settle();
      expect((await find('cat')).toSorted()).toEqual(['a', 'b', 'c']);
    });
  });

  describe('an embedder that fails', () => {
    test('a failing embedder delays only the vectors, and everything is embedded later', async () => {
      // A store compares the deadlines of the index with the time.
      const clock = createManualClock(Date.now());
      const { semantic, write, find, embedder, call, log } = await openFixture({ clock });
      await semantic.settle();
      await write({ a: 'cat' });
      embedder.fails = new Error('the host is down');
      await expect(semantic.settle()).rejects.toThrow('the host is down');
      await write({ b: 'dog' });
      for (let i = 0; i < 3; i += 1)
        expect(await semantic.nearest(call, papers, { text: 'cat', limit: 1 })).toBeUndefined();
      expect(
        log.lines.filter(({ message }) => message === 'the embedder failed; falling back to keyword search'),
      ).toHaveLength(1);
      expect((await semantic.progress(call, papers)).pending).toBe(2);
      embedder.fails = undefined;
      await semantic.settle();
      clock.advance(searchLimits.queryRetryMs);
      expect((await find('cat')).toSorted()).toEqual(['a', 'b']);
    });

    test('a rejected text costs only that document its vector', async () => {
      const inner = createDebugEmbedder();
      const picky = {
        ...inner,
        embed: (texts: readonly string[], options: Parameters<typeof inner.embed>[1]) =>
          texts.includes('bad') ? Promise.reject(new TextRejectedError('not this one')) : inner.embed(texts, options),
      };
      const { semantic, write, find, count } = await openFixture({ embedder: async () => picky });
      await write({ a: 'cat', b: 'bad', c: 'dog' });
      await semantic.settle();
      expect((await find('cat')).toSorted()).toEqual(['a', 'c']);
      expect(await count('meaning_pending')).toBe(0);
    });
  });
}
