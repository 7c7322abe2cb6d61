import { describe, expect, test } from 'vitest';
import { type OpenSearchIndexFixture, type Page, page, pages, tiny } from './search-index.fixture.ts';

export function describeAnswers(openFixture: OpenSearchIndexFixture): void {
  describe('answers', () => {
    test('applies filters before the limit and the total', async () => {
      const { call, put, index } = await openFixture();
      await put(
        ...Array.from({ length: 30 }, (_, i) =>
          page(`p${i}`, 'hook', { tag: i % 10 === 0 ? ['rare', 'x'] : ['common'] }),
        ),
      );
      const answer = await index.search(call, pages, {
        text: 'hook',
        limit: 2,
        filters: [{ key: 'tag', any: ['rare'] }],
      });
      expect(answer.hits.map(({ id }) => id)).toEqual(['p0', 'p10']);
      expect(answer.total).toBe(3);
      const next = await index.search(call, pages, {
        text: 'hook',
        limit: 2,
        filters: [{ key: 'tag', any: ['rare'] }],
        after: answer.next!,
      });
      expect(next.hits.map(({ id }) => id)).toEqual(['p20']);
      expect(next.next).toBeUndefined();
      expect(next.total).toBe(3);
    });

    test('orders ties by id', async () => {
      const { put, find } = await openFixture(tiny);
      for (const id of ['c', 'B', 'a', '\ue000', '𝒳', 'b', 'd']) await put({ id, fields: { body: 'hook' } });
      expect(await find('hook', { substring: false })).toEqual(['B', 'a', 'b', 'c', 'd', '𝒳', '\ue000']);
    });

    test('explains and highlights each hit', async () => {
      const { call, put, index } = await openFixture();
      const document: Page = {
        id: 'hooks-before',
        fields: { title: 'Before hooks', body: 'app.use in a HookContext' },
      };
      await put(document, page('other', 'text'));
      const { hits } = await index.search(call, pages, {
        text: 'before hooks app.use',
        limit: 5,
        load: async (ids) => new Map(ids.map((id) => [id, id === document.id ? document.fields : {}])),
      });
      expect(hits).toHaveLength(1);
      expect(hits[0]?.why).toEqual({
        how: 'words',
        terms: [
          { term: 'before', fields: ['id', 'title'] },
          { term: 'hooks', fields: ['id', 'title', 'body'] },
          { term: 'app.use', fields: ['body'] },
          { term: 'app', fields: ['body'] },
          { term: 'use', fields: ['body'] },
        ],
        boosts: [],
      });
      expect(hits[0]?.highlights).toEqual([
        {
          field: 'title',
          snippet: 'Before hooks',
          ranges: [
            [0, 6],
            [7, 12],
          ],
        },
        {
          field: 'body',
          snippet: 'app.use in a HookContext',
          ranges: [
            [0, 7],
            [13, 17],
          ],
        },
      ]);
    });

    test('ranks the id above the title, and the title above a mention', async () => {
      const { call, put, index } = await openFixture();
      await put(
        { id: 'x1', fields: { title: 'Deploy', body: 'nothing else' } },
        { id: 'x2', fields: { title: 'Notes', body: 'deploy '.repeat(30) } },
        { id: 'deploy', fields: { title: 'Something', body: 'else' } },
      );
      const { hits } = await index.search(call, pages, { text: 'Deploy', limit: 5 });
      expect(hits.map(({ id, why }) => [id, why.boosts])).toEqual([
        ['deploy', ['id']],
        ['x1', ['title']],
        ['x2', []],
      ]);
    });

    test('ranks matches inside words after word matches', async () => {
      const { call, put, index } = await openFixture();
      await put(page('inside', 'webhooks'), page('word', 'a hook among many other words that make it long'));
      const { hits, total } = await index.search(call, pages, { text: 'hook', limit: 5 });
      expect(hits.map(({ id, why }) => [id, why.how])).toEqual([
        ['word', 'words'],
        ['inside', 'substring'],
      ]);
      expect(total).toBe(2);
      expect((await index.search(call, pages, { text: 'hook', limit: 5, substring: false })).total).toBe(1);
    });

    test('ranks phrases first, finds all words on demand, and words by prefix with a star', async () => {
      const { put, find } = await openFixture();
      await put(page('a', 'error handling in hooks'), page('b', 'handling an error'), page('c', 'errors were handled'));
      expect((await find('error handling'))[0]).not.toBe('a');
      expect((await find('"error handling"'))[0]).toBe('a');
      // A phrase that no document has is searched as words.
      expect((await find('"hooks handling"')).toSorted()).toEqual(['a', 'b', 'c']);
      expect((await find('error hooks')).toSorted()).toEqual(['a', 'b', 'c']);
      expect(await find('error hooks', { match: 'all' })).toEqual(['a']);
      expect((await find('hand*')).toSorted()).toEqual(['a', 'b', 'c']);
      expect(await find('error hoo', { match: 'all', lastWordIsPrefix: true })).toEqual(['a']);
    });

    test('finds a quoted title first, but not one with its words in another order', async () => {
      const { put, find } = await openFixture();
      const titled = (id: string, title: string, body: string): Page => ({ id, fields: { title, body } });
      await put(titled('a', 'Error handling in many places', 'error handling '.repeat(20)));
      await put(titled('b', 'Error handling', 'short'), titled('c', 'Handling errors', 'short'));
      expect(await find('"error handling"')).toEqual(['b', 'a', 'c']);
    });

    test('finds the other forms of a German word, in German texts only', async () => {
      const { put, find } = await openFixture();
      await put(page('a', 'Die Rechnungen für den Umbau sind bezahlt.'), page('b', 'The owner is in the house.'));
      expect(await find('Rechnung')).toEqual(['a']);
      expect(await find('Wann wurde die Rechnung bezahlt?')).toEqual(['a']);
      expect(await find('Ownern')).toEqual([]);
    });

    test('finds nothing and gives no hint for a blank, symbol-only or stop-word query', async () => {
      const { call, put, index } = await openFixture();
      await put(page('the', 'the other of it'));
      for (const text of ['', '   ', '{}()', 'the', 'of the', '"is it"']) {
        const answer = await index.search(call, pages, { text, limit: 5 });
        expect(answer).toMatchObject({ hits: [], total: 0, ownCount: 1, next: undefined, hints: [], leftOutCount: 0 });
      }
    });

    test('suggests similar words when nothing is found', async () => {
      const { call, put, index } = await openFixture();
      await put(page('a', 'authentication of services'));
      expect((await index.search(call, pages, { text: 'authentification', limit: 5 })).hints).toEqual([
        'authentication',
      ]);
    });

    test('counts with a limit of zero, and rounds a fractional limit down', async () => {
      const { call, put, index } = await openFixture();
      await put(page('a', 'hook'), page('b', 'hook'));
      expect(await index.search(call, pages, { text: 'hook', limit: 0 })).toMatchObject({ hits: [], total: 2 });
      expect((await index.search(call, pages, { text: 'hook', limit: 1.9 })).hits).toHaveLength(1);
    });
  });
}
