import { describe, expect, test } from 'vitest';
import { sql } from '../../storage/sql.ts';
import { type OpenSearchIndexFixture, page, pages } from './search-index.fixture.ts';

export function describeQueries(openFixture: OpenSearchIndexFixture): void {
  describe('writes and searches', () => {
    test('finds a document as soon as its write is acknowledged', async () => {
      const { put, find } = await openFixture();
      await put(page('a', 'hooks of a service'));
      expect(await find('hook')).toEqual(['a']);
      await put(page('b', 'another hook'));
      expect((await find('hook')).toSorted()).toEqual(['a', 'b']);
    });

    test('finds nothing of a failed write', async () => {
      const { call, storage, index, find } = await openFixture();
      const failing = storage.write(call, function* (db) {
        yield* index.put(db, pages, page('a', 'hook'));
        throw new Error('changed my mind');
      });
      await expect(failing).rejects.toThrow('changed my mind');
      expect(await find('hook')).toEqual([]);
    });

    test('fails the write on a forgotten yield* instead of losing the document', async () => {
      const { call, storage, index, find } = await openFixture();
      const forgetful = storage.write(call, function* (db) {
        yield* index.put(db, pages, page('a', 'hook'));
        index.put(db, pages, page('b', 'hook'));
      });
      await expect(forgetful).rejects.toThrow('never yielded');
      expect(await find('hook')).toEqual([]);
    });

    test('finds a changed document by its new words only, and a removed one by none', async () => {
      const { put, remove, find } = await openFixture();
      await put(page('a', 'hook'), page('b', 'hook'));
      await put(page('a', 'service'));
      expect(await find('hook')).toEqual(['b']);
      expect(await find('service')).toEqual(['a']);
      await remove('a', 'missing');
      expect(await find('service')).toEqual([]);
      await put(page('a', 'hook'));
      expect((await find('hook')).toSorted()).toEqual(['a', 'b']);
    });

    test('uses the last of several changes in one write', async () => {
      const { put, find } = await openFixture();
      await put(page('a', 'first'), page('a', 'second'));
      expect(await find('first')).toEqual([]);
      expect(await find('second')).toEqual(['a']);
    });

    test('finds text that a store would reject or alter', async () => {
      const { put, find } = await openFixture();
      await put(page('a', 'before\0after \ud800 lone 𝒳yz'));
      expect(await find('lone')).toEqual(['a']);
      expect(await find('after')).toEqual(['a']);
    });

    test('rejects an ill-formed id or facet', async () => {
      const { put } = await openFixture();
      await expect(put(page('\ud800', 'text'))).rejects.toThrow('id of a search document');
      await expect(put(page('', 'text'))).rejects.toThrow('id of a search document');
      await expect(put(page('a', 'text', { tag: 'x\0y' }))).rejects.toThrow('facet tag');
    });
  });

  test('finds nothing after the store was emptied', async () => {
    const { call, storage, put, find } = await openFixture();
    await put(page('a', 'hook'));
    await put(page('b', 'hook'));
    expect(await find('hook')).toEqual(['a', 'b']);
    await storage.write(call, function* (db) {
      yield* db.run(sql`delete from search_rows where tenant = ${db.tenant}`);
      yield* db.run(sql`delete from search_heads where tenant = ${db.tenant}`);
    });
    expect(await find('hook')).toEqual([]);
    await put(page('c', 'hook'));
    expect(await find('hook')).toEqual(['c']);
  });
}
