import { describe, expect, it } from 'vitest';
import { limits } from '#kernel/limits.ts';
import { createEntry } from '../catalog/memory-catalog.fixture.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { idsOf, openReads } from './reads.fixture.ts';

const thirtyEntries = Array.from({ length: 30 }, (_, i) =>
  createEntry({
    id: `e${String(i).padStart(2, '0')}`,
    priority: (i % 5) + 1,
    categories: i % 2 === 0 ? ['even'] : ['odd'],
  }),
);

describe('instructions/query', () => {
  const { ask } = openReads(thirtyEntries);

  it('[IN34] returns entries that meet all conditions, nested and flat, and the applied filters', async () => {
    const answer = await ask('query', { filters: { categories: ['even'] }, priorityMax: 1, limit: 100 });
    expect(answer).toMatchObject({
      total: 3,
      returned: 3,
      appliedFilters: { categories: ['even'], priorityMax: 1 },
    });
    expect(idsOf(answer)).toEqual(['e00', 'e10', 'e20']);
    expect(answer['performanceMs']).toBeGreaterThanOrEqual(0);
    expect(answer).not.toHaveProperty('nextCursor');
  });

  it('[IN34] pages through everything once, in the requested order', async () => {
    const sort = { field: 'priority', direction: 'desc' };
    const seen: string[] = [];
    let cursor: unknown;
    do {
      const page = await ask('query', { sort, limit: 7, ...(cursor === undefined ? {} : { cursor }) });
      expect(page['total']).toBe(30);
      seen.push(...idsOf(page));
      cursor = page['nextCursor'];
    } while (cursor !== undefined);
    const sorted = thirtyEntries.toSorted((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1));
    expect(seen).toEqual(sorted.map(({ id }) => id));
  });

  it('respects the page budget without a limit, and the limit with one', async () => {
    const page = await ask('query', {});
    expect(Buffer.byteLength(JSON.stringify(page.items))).toBeLessThanOrEqual(limits.pageBytes);
    expect(page).toHaveProperty('nextCursor');
    expect((await ask('query', { limit: 1_000 }))['returned']).toBe(30);
  });

  it('accepts an offset, but not together with a cursor', async () => {
    expect(idsOf(await ask('query', { limit: 2, offset: 28 }))).toEqual(['e28', 'e29']);
    const { nextCursor } = await ask('query', { limit: 2, offset: 2 });
    expect(idsOf(await ask('query', { limit: 2, cursor: nextCursor }))).toEqual(['e04', 'e05']);
    expect((await ask('query', { cursor: nextCursor, offset: 1 })).error?.code).toBe(-32602);
  });

  it('[IN34] rejects a cursor of another query, of another tool, and a made-up one', async () => {
    const { nextCursor: cursor } = await ask('query', { limit: 2 });
    const { nextCursor: ofSearch } = await ask('search', { q: 'body', limit: 2 });
    expect((await ask('query', { limit: 2, cursor, text: 'x' })).error?.code).toBe(-32602);
    expect((await ask('query', { limit: 2, cursor: ofSearch })).error?.code).toBe(-32602);
    expect((await ask('query', { limit: 2, cursor: 'made-up' })).error?.code).toBe(-32602);
  });

  it.each([
    [{ filters: { text: 'a' }, text: 'b' }],
    [{ filters: { unknown: 1 } }],
    [{ unknown: 1 }],
    [{ limit: 0 }],
    [{ limit: 1_001 }],
    [{ filters: { createdAfter: 'yesterday' } }],
    [{ sort: { field: 'body' } }],
  ])('rejects %j', async (input) => {
    expect((await ask('query', input)).error?.code).toBe(-32602);
  });
});

describe('a catalog of several batches', () => {
  const count = 3 * instructionLimits.turnItemsCount;
  const entries = Array.from({ length: count }, (_, i) =>
    createEntry({ id: `e${String(i).padStart(4, '0')}`, priority: ((i * 7) % 100) + 1, title: `T${(i * 13) % count}` }),
  );
  const { ask } = openReads(entries);

  it.each([
    [undefined],
    [{ field: 'priority', direction: 'asc' }],
    [{ field: 'priority', direction: 'desc' }],
    [{ field: 'title', direction: 'asc' }],
  ] as const)('is paged through once, sorted by %j', async (sort) => {
    const seen: string[] = [];
    let cursor: unknown;
    do {
      const page = await ask('query', {
        limit: 200,
        priorityMin: 11,
        ...(sort && { sort }),
        ...(cursor ? { cursor } : {}),
      });
      seen.push(...idsOf(page));
      cursor = page['nextCursor'];
    } while (cursor !== undefined);
    const wanted = entries.filter(({ priority }) => priority >= 11);
    const sign = sort?.direction === 'desc' ? -1 : 1;
    const keyOf = (entry: (typeof entries)[number]): string | number =>
      sort === undefined ? 0 : sort.field === 'title' ? entry.title.toLowerCase() : entry.priority;
    const inOrder = wanted.toSorted((a, b) => {
      const [left, right] = [keyOf(a), keyOf(b)];
      return left === right ? (a.id < b.id ? -1 : 1) : sign * (left < right ? -1 : 1);
    });
    expect(seen).toEqual(inOrder.map(({ id }) => id));
  });

  it('returns the same page at an offset near the end as from the start', async () => {
    const sort = { field: 'priority', direction: 'asc' };
    const all = idsOf(await ask('query', { sort, limit: 1_000 }));
    expect(all).toHaveLength(count);
    expect(idsOf(await ask('query', { sort, offset: count - 5, limit: 1_000 }))).toEqual(all.slice(-5));
    expect(idsOf(await ask('query', { sort, offset: 2_500, limit: 10 }))).toEqual([]);
  });
});
