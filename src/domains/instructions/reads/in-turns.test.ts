import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instructionLimits } from '../instruction-limits.ts';
import { plantedCall, toEntry } from './catalog.fixture.ts';
import { inTurns } from './in-turns.ts';
import { idsOf, openReads } from './reads.fixture.ts';

const { signal } = plantedCall();

/** Keeps the event loop for longer than a turn. */
function spin(): void {
  const until = performance.now() + instructionLimits.turnMs + 1;
  while (performance.now() < until);
}

describe('a long list', () => {
  it('is gone through whole, in order, in parts of at most so many', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(3 * instructionLimits.turnItemsCount), async (count) => {
        const items = Array.from({ length: count }, (_, i) => i);
        const seen: number[] = [];
        await inTurns(items, signal, (part) => {
          expect(part.length).toBeLessThanOrEqual(instructionLimits.turnItemsCount);
          seen.push(...part);
        });
        expect(seen).toEqual(items);
      }),
    );
  });

  it('lets others have their turn after each part that takes long', async () => {
    const told: string[] = [];
    const items = Array.from({ length: 3 * instructionLimits.turnItemsCount }, (_, i) => i);
    const going = inTurns(items, signal, () => {
      told.push('part');
      setImmediate(() => told.push('other'));
      spin();
    });
    await going;
    expect(told.slice(0, 5)).toEqual(['part', 'other', 'part', 'other', 'part']);
  });

  it('is left when whoever asked has gone', async () => {
    const gone = new AbortController();
    let parts = 0;
    const going = inTurns(Array(5 * instructionLimits.turnItemsCount).fill(0), gone.signal, () => {
      parts += 1;
      gone.abort(new Error('gone'));
      spin();
    });
    await expect(going).rejects.toThrow('gone');
    expect(parts).toBe(1);
  });
});

describe('a catalog of several parts', () => {
  const count = 3 * instructionLimits.turnItemsCount;
  const entries = Array.from({ length: count }, (_, i) =>
    toEntry({ id: `e${String(i).padStart(4, '0')}`, priority: ((i * 7) % 100) + 1, title: `T${(i * 13) % count}` }),
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

  it('gives the same page at an offset near the end as from the start', async () => {
    const sort = { field: 'priority', direction: 'asc' };
    const all = idsOf(await ask('query', { sort, limit: 1_000 }));
    expect(all).toHaveLength(count);
    expect(idsOf(await ask('query', { sort, offset: count - 5, limit: 1_000 }))).toEqual(all.slice(-5));
    expect(idsOf(await ask('query', { sort, offset: 2_500, limit: 10 }))).toEqual([]);
  });
});
