import { describe, expect, test } from 'vitest';
import { defineCollection } from '../collection.ts';
import type { SearchIndex } from '../search-index.ts';
import { chunkCount, type OpenSearchIndexFixture, page, pages, tiny, watchReads } from './search-index.fixture.ts';

export function describeSharing(openFixture: OpenSearchIndexFixture): void {
  describe('tenants and collections', () => {
    test('does not let the words of other tenants change scores', async () => {
      const one = await openFixture(tiny);
      const other = await openFixture(tiny, one.storage);
      const documents = Array.from({ length: 9 }, (_, i) => page(`p${i}`, i % 3 === 0 ? 'hook service' : 'service'));
      await one.put(...documents);
      const ask = () => one.index.search(one.call, pages, { text: 'hook service', limit: 20 });
      const before = await ask();
      await other.put(...Array.from({ length: 30 }, (_, i) => page(`q${i}`, 'hook hook hook')));
      await one.index.settle();
      expect(await ask()).toEqual(before);
      expect(await other.find('service')).toEqual([]);
    });

    test('gives each of several alternating tenants its own documents', async () => {
      const one = await openFixture();
      const other = await openFixture({}, one.storage);
      await one.put(page('a', 'hook'));
      await other.put(page('b', 'hook'));
      for (const { call } of [one, other, one, other]) {
        const { hits } = await one.index.search(call, pages, { text: 'hook', limit: 5 });
        expect(hits.map(({ id }) => id)).toEqual([call === one.call ? 'a' : 'b']);
      }
    });

    test('keeps the collections of a tenant apart', async () => {
      const { call, storage, index, put, find } = await openFixture();
      const notes = defineCollection({ name: 'notes', fields: { text: 1 } });
      await put(page('a', 'hook'));
      await storage.write(call, function* (db) {
        yield* index.put(db, notes, { id: 'n', fields: { text: 'hook' } });
      });
      expect(await find('hook')).toEqual(['a']);
      expect((await index.search(call, notes, { text: 'hook', limit: 5 })).hits.map(({ id }) => id)).toEqual(['n']);
    });
  });

  describe('several processes', () => {
    test('finds what another process acknowledged, and reads only the new rows', async () => {
      const { call, storage, put, remove, openOther } = await openFixture();
      const seen: number[] = [];
      const other = openOther({ storage: watchReads(storage, 'search_rows', (count) => seen.push(count)) });
      const find = async () =>
        (await other.search(call, pages, { text: 'hook', limit: 9 })).hits.map(({ id }) => id).toSorted();
      for (let i = 0; i < 5; i += 1) await put(page(`p${i}`, 'hook'));
      expect(await find()).toEqual(['p0', 'p1', 'p2', 'p3', 'p4']);
      await put(page('p5', 'hook'));
      await remove('p0');
      expect(await find()).toEqual(['p1', 'p2', 'p3', 'p4', 'p5']);
      expect(await find()).toEqual(['p1', 'p2', 'p3', 'p4', 'p5']);
      expect(seen).toEqual([5, 2]);
    });

    test('reads segments once, on first use', async () => {
      const { call, storage, index, put, openOther, count } = await openFixture({ ...tiny, mergeWidthCount: 50 });
      await put(...Array.from({ length: 10 }, (_, i) => page(`p${i}`, 'hook')));
      await index.maintain(call.tenant, pages);
      let readCount = 0;
      const other = openOther({
        storage: watchReads(storage, 'search_chunks', () => {
          readCount += 1;
        }),
      });
      expect(readCount).toBe(0);
      for (let i = 0; i < 3; i += 1)
        expect((await other.search(call, pages, { text: 'hook', limit: 1 })).total).toBe(10);
      const firstCount = await count(chunkCount(call.tenant));
      expect(readCount).toBe(firstCount);
      await put(...Array.from({ length: 10 }, (_, i) => page(`q${i}`, 'hook')));
      await index.maintain(call.tenant, pages);
      expect((await other.search(call, pages, { text: 'hook', limit: 1 })).total).toBe(20);
      expect(await count(chunkCount(call.tenant))).toBeGreaterThan(firstCount);
      expect(readCount).toBe(await count(chunkCount(call.tenant)));
    });

    test('does not change answers when another process merges', async () => {
      const { call, index, put, openOther } = await openFixture(tiny);
      const other = openOther();
      const ask = (from: SearchIndex) => from.search(call, pages, { text: 'hook service', limit: 50 });
      for (let i = 0; i < 40; i += 1) {
        await put(page(`p${i % 13}`, i % 2 === 0 ? 'hook' : `service ${i}`));
        if (i % 7 === 0) await index.maintain(call.tenant, pages);
        expect(await ask(other)).toEqual(await ask(index));
      }
    });

    test('loses nothing with many concurrent writers', async () => {
      const { call, storage, index, openOther } = await openFixture(tiny);
      const indexes = [index, openOther(), openOther()];
      await Promise.all(
        Array.from({ length: 60 }, (_, i) =>
          storage
            .write(call, function* (db) {
              yield* indexes[i % 3]!.put(db, pages, page(`p${i}`, 'hook'));
            })
            .then(() => indexes[(i + 1) % 3]!.search(call, pages, { text: `"p${i}"`, limit: 1 }))
            .then(({ hits }) => expect(hits.map(({ id }) => id)).toEqual([`p${i}`])),
        ),
      );
      await Promise.all(indexes.map((each) => each.settle()));
      for (const each of indexes) expect((await each.search(call, pages, { text: 'hook', limit: 5 })).total).toBe(60);
    });
  });
}
