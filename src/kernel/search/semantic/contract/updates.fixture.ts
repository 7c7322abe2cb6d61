import { describe, expect, test } from 'vitest';
import { purgeGone, withdrawNoted } from '../purge-vectors.ts';
import {
  createCountingEmbedder,
  deletePending,
  type OpenSemanticSearchFixture,
  paper,
  papers,
} from './semantic-search.fixture.ts';

export function describeUpdates(openFixture: OpenSemanticSearchFixture): void {
  describe('updates', () => {
    test('finds written documents once they are embedded, the most similar first', async () => {
      const { semantic, write, find, call } = await openFixture();
      await write({ a: 'the cat sits on the mat', b: 'a dog runs', c: 'cat and mat and more' });
      await semantic.settle();
      expect((await find('cat mat'))[0]).toBe('c');
      expect(await semantic.progress(call, papers)).toEqual({ embedder: 'debug-hash-1', embedded: 3, pending: 0 });
    });

    test('never embeds a write that is rolled back', async () => {
      const { semantic, storage, call, embedder, count } = await openFixture();
      const failed = storage.write(call, function* (db) {
        yield* semantic.note(db, papers, 'a');
        throw new Error('no');
      });
      await expect(failed).rejects.toThrow('no');
      await semantic.settle();
      expect(embedder.embedded).toEqual([]);
      expect(await count('meaning_pending')).toBe(0);
    });

    test('embeds a changed text, not an unchanged one, and updates changed facets', async () => {
      const { semantic, write, embedder, call } = await openFixture();
      await write({ a: paper('first words', { tag: 'x' }), b: 'other' });
      await semantic.settle();
      await write({ a: paper('second words', { tag: 'x' }), b: 'other' });
      await semantic.settle();
      expect(embedder.embedded.toSorted()).toEqual(['first words', 'other', 'second words']);
      await write({ a: paper('second words', { tag: 'y' }) });
      await semantic.settle();
      expect(embedder.embedded).toHaveLength(3);
      const ask = async (tag: string) =>
        (await semantic.nearest(call, papers, { text: 'second', limit: 5, filters: [{ key: 'tag', any: [tag] }] }))
          ?.hits;
      expect(await ask('x')).toEqual([]);
      expect((await ask('y'))?.map(({ id }) => id)).toEqual(['a']);
    });

    test('does not find a deleted document after the commit, and keeps no vector', async () => {
      const { semantic, write, erase, find, count } = await openFixture();
      await write({ a: 'cat', b: 'dog' });
      await semantic.settle();
      expect(await find('cat')).toContain('a');
      await erase('a');
      expect(await find('cat')).toEqual(['b']);
      await semantic.settle();
      expect(await count('meaning_vectors')).toBe(1);
      expect(await count('meaning_pending')).toBe(0);
    });

    test('keeps no list of deleted documents in a store without an embedder', async () => {
      const { openOther, call, storage, count, run } = await openFixture();
      await run(deletePending(call.tenant));
      const without = openOther({ embedder: async () => undefined });
      await without.assess('');
      for (const id of ['a', 'b']) {
        await storage.write(call, (db) => without.note(db, papers, id));
        await storage.write(call, (db) => without.forget(db, papers, id));
      }
      expect(await count('meaning_pending')).toBe(0);
    });

    test('keeps no vector, not even briefly, of a document deleted while it is embedded', async () => {
      const { semantic, storage, write, erase, embedder, find, count, openOther } = await openFixture();
      await write({ a: 'cat', b: 'dog' });
      await semantic.close();
      const counts: number[] = [];
      const other = openOther({
        storage: {
          ...storage,
          async write(by, work) {
            const value = await storage.write(by, work);
            counts.push(await count('meaning_vectors'));
            return value;
          },
        },
      });
      let erased = false;
      embedder.before = async () => {
        if (!erased) await erase('a');
        erased = true;
      };
      await other.settle();
      expect(embedder.embedded).toContain('cat');
      expect(await find('cat', other)).toEqual(['b']);
      expect(Math.max(...counts)).toBe(1);
    });

    test('keeps no vector of a document that is forgotten for good while it is embedded', async () => {
      const { semantic, storage, call, write, erase, embedder, find, count, openOther } = await openFixture();
      await write({ a: 'cat', b: 'dog' });
      await semantic.close();
      let isErased = false;
      embedder.before = async () => {
        if (isErased) return;
        isErased = true;
        await erase('a');
        // As another process does that has no embedder, so it does not wait for this one.
        await storage.write(call, function* (db) {
          yield* withdrawNoted(db, papers.name, new Set(['a']));
          yield* purgeGone(db, papers.name);
        });
      };
      const other = openOther();
      await other.settle();
      expect(embedder.embedded).toContain('cat');
      expect(await find('cat', other)).toEqual(['b']);
      expect(await count('meaning_vectors')).toBe(1);
    });

    test('finds a deleted document that is written again', async () => {
      const { semantic, write, erase, find, openOther } = await openFixture();
      const other = openOther();
      await write({ a: 'cat' });
      await semantic.settle();
      expect(await find('cat', other)).toEqual(['a']);
      await erase('a');
      expect(await find('cat', other)).toEqual([]);
      await write({ a: 'cat again' });
      await semantic.settle();
      expect(await find('cat', other)).toEqual(['a']);
    });

    test('removes the vector of a text without words', async () => {
      const { semantic, write, find, count } = await openFixture();
      await write({ a: 'cat', b: ' \n' });
      await semantic.settle();
      expect(await count('meaning_vectors')).toBe(1);
      await write({ a: '---' });
      await semantic.settle();
      expect(await find('cat')).toEqual([]);
      expect(await count('meaning_vectors')).toBe(0);
    });

    test('finds a long text by its end', async () => {
      const { semantic, write, call } = await openFixture();
      const filler = 'plain filler words here. '.repeat(60);
      await write({ long: `${filler}zebra quagga okapi`, short: 'plain filler' });
      await semantic.settle();
      const found = await semantic.nearest(call, papers, { text: 'zebra quagga okapi', limit: 2 });
      expect(found?.hits[0]).toMatchObject({ id: 'long', part: 1 });
      expect(found?.hits.map(({ id }) => id).toSorted()).toEqual(['long', 'short']);
    });

    test('embeds everything again for another model, and never compares old vectors', async () => {
      const { semantic, write, find, openOther, embedder, call, count } = await openFixture();
      await write(Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`d${i}`, `cat number ${i}`])));
      await semantic.settle();
      await semantic.close();
      const newer = createCountingEmbedder('another-model');
      const other = openOther({ embedder: async () => newer });
      expect(await find('cat', other)).toEqual([]);
      expect(await other.progress(call, papers)).toMatchObject({ embedder: 'another-model', embedded: 0 });
      await other.settle();
      expect(newer.embedded).toHaveLength(150);
      expect(embedder.embedded).toHaveLength(150);
      expect(await find('cat', other)).toHaveLength(100);
      expect(await count('meaning_vectors')).toBe(150);
      expect(await other.progress(call, papers)).toEqual({ embedder: 'another-model', embedded: 150, pending: 0 });
    });

    test('embeds documents that existed before without a note', async () => {
      const { semantic, write, find, run, call } = await openFixture();
      await write({ a: 'cat' });
      await run(deletePending(call.tenant));
      await semantic.settle();
      expect(await find('cat')).toEqual(['a']);
    });
  });
}
