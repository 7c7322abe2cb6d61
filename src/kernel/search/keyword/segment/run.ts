import { setImmediate } from 'node:timers/promises';
import { searchLimits } from '../../search-limits.ts';

/** Long work that rests between its steps. */
export type Resting<T> = Generator<void, T>;

/** Without a rest: for work that is known to be small. */
export function runAtOnce<T>(work: Resting<T>): T {
  let turn = work.next();
  while (!turn.done) turn = work.next();
  return turn.value;
}

/** Called often by long work: gives the event loop to others whenever a slice is used up. */
export function createPacer(): () => Promise<void> | undefined {
  let sliceEndsAt = performance.now() + searchLimits.sliceMs;
  return () => {
    if (performance.now() < sliceEndsAt) return undefined;
    return setImmediate().then(() => {
      sliceEndsAt = performance.now() + searchLimits.sliceMs;
    });
  };
}

export async function runInSlices<T>(work: Resting<T>, signal?: AbortSignal): Promise<T> {
  const rest = createPacer();
  for (;;) {
    const turn = work.next();
    if (turn.done) return turn.value;
    const resting = rest();
    if (resting === undefined) continue;
    await resting;
    signal?.throwIfAborted();
  }
}
