import { setImmediate } from 'node:timers/promises';
import { searchLimits } from '../search-limits.ts';

/** Long work that rests between its steps. */
export type Resting<T> = Generator<void, T>;

/** Without a rest: for work that is known to be small. */
export function runAtOnce<T>(work: Resting<T>): T {
  let turn = work.next();
  while (!turn.done) turn = work.next();
  return turn.value;
}

/** Gives the event loop to others whenever a slice is used up. */
export async function runInSlices<T>(work: Resting<T>, signal?: AbortSignal): Promise<T> {
  let sliceEndsAt = performance.now() + searchLimits.sliceMs;
  for (;;) {
    const turn = work.next();
    if (turn.done) return turn.value;
    if (performance.now() < sliceEndsAt) continue;
    await setImmediate();
    signal?.throwIfAborted();
    sliceEndsAt = performance.now() + searchLimits.sliceMs;
  }
}
