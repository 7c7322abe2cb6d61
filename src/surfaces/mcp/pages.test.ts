import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type PageSource, pageAcross } from './pages.ts';

/** A list that returns `size` items at a time, with its own cursors. */
const toSource =
  (items: readonly number[], size: number): PageSource<number> =>
  async (cursor) => {
    const from = cursor === undefined ? 0 : Number(cursor);
    const next = from + size;
    return { items: items.slice(from, next), ...(next < items.length ? { nextCursor: String(next) } : {}) };
  };

test('joins lists so that every item comes once, in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(fc.nat())), fc.integer({ min: 1, max: 4 }), async (lists, size) => {
      const sources = lists.map((items) => toSource(items, size));
      const seen: number[] = [];
      let cursor: string | undefined;
      do {
        const page = await pageAcross(sources, cursor);
        if (page.nextCursor !== undefined) expect(page.items).not.toHaveLength(0);
        seen.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(seen).toEqual(lists.flat());
    }),
  );
});

test.each([
  '',
  'nonsense',
  'WzldCg',
  Buffer.from('[0,7]').toString('base64url'),
  Buffer.from('[-1]').toString('base64url'),
])('rejects the cursor %j', async (cursor) => {
  await expect(pageAcross([toSource([1], 1)], cursor)).rejects.toThrow('the cursor is not one that this list gave');
});
