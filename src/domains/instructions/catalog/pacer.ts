import { setImmediate } from 'node:timers/promises';
import { catalogLimits } from './catalog-limits.ts';

/** Runs small steps one after the other and gives the event loop to others whenever a slice is used up. */
export async function inSlices<T>(
  items: Iterable<T>,
  step: (item: T) => void,
  endSlice: () => void,
  signal: AbortSignal,
): Promise<void> {
  let sliceEndsAt = performance.now() + catalogLimits.sliceMs;
  for (const item of items) {
    step(item);
    if (performance.now() < sliceEndsAt) continue;
    endSlice();
    await setImmediate();
    signal.throwIfAborted();
    sliceEndsAt = performance.now() + catalogLimits.sliceMs;
  }
  endSlice();
}
