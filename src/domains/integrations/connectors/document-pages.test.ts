import { expect, it } from 'vitest';
import { documentPages } from './document-pages.ts';

it('[IG91] counts a problem once, although a sync that was killed reads the document again', async () => {
  const open = () =>
    documentPages({
      load: async () => ({ text: '', url: '', validators: { etag: '1' } }),
      read: async () => ({
        items: ['a', 'b', 'c'].map((id) => ({ kind: 'article', id, fields: { title: id } })),
        problems: [{ id: 'd', why: 'it has neither id nor link' }],
      }),
    });
  const { signal } = new AbortController();
  const first = await open()({ cursor: undefined, limit: 2, signal });
  const rest = await open()({ cursor: first.cursor, limit: 2, signal });
  expect([first, rest].map(({ items, problems }) => [items.length, problems?.length])).toEqual([
    [2, 0],
    [1, 1],
  ]);
});
