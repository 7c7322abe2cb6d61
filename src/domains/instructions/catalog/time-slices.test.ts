import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instructionLimits } from '../instruction-limits.ts';
import { createCall } from './memory-catalog.fixture.ts';
import { runInBatches } from './time-slices.ts';

const { signal } = createCall();

/** Blocks the event loop for longer than a time slice. */
function spin(): void {
  const until = performance.now() + instructionLimits.turnMs + 1;
  while (performance.now() < until);
}

describe('runInBatches', () => {
  it('passes all items in order, in batches of limited size', async () => {
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

  it('yields to the event loop after each batch that takes long', async () => {
    const order: string[] = [];
    const items = Array.from({ length: 3 * instructionLimits.turnItemsCount }, (_, i) => i);
    const going = runInBatches(items, signal, () => {
      order.push('part');
      setImmediate(() => order.push('other'));
      spin();
    });
    await going;
    expect(order.slice(0, 5)).toEqual(['part', 'other', 'part', 'other', 'part']);
  });

  it('stops when the caller cancels', async () => {
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
