import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instructionLimits } from '../instruction-limits.ts';
import { createCall } from './memory-catalog.fixture.ts';
import { runInBatches } from './time-slices.ts';

const { signal } = createCall();

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
        await runInBatches(items, signal, (part) => {
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
    const going = runInBatches(items, signal, () => {
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
    const going = runInBatches(Array(5 * instructionLimits.turnItemsCount).fill(0), gone.signal, () => {
      parts += 1;
      gone.abort(new Error('gone'));
      spin();
    });
    await expect(going).rejects.toThrow('gone');
    expect(parts).toBe(1);
  });
});
