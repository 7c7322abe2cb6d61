import { createPacer, yieldToRequests } from '../../../clock/yield-to-event-loop.ts';
import { searchLimits } from '../../search-limits.ts';

/** Long work that can be interrupted at each yield. */
export type Resting<T> = Generator<void, T>;

/** Without interruption, for work that is known to be small. */
export function runAtOnce<T>(work: Resting<T>): T {
  let turn = work.next();
  while (!turn.done) turn = work.next();
  return turn.value;
}

export const runInSlices = <T>(work: Resting<T>, signal?: AbortSignal): Promise<T> =>
  runPaced(work, createPacer(searchLimits.sliceMs, signal));

/** For work that no request waits for. */
export const runInBackground = <T>(work: Resting<T>, signal: AbortSignal): Promise<T> =>
  runPaced(work, createPacer(searchLimits.sliceMs, signal, yieldToRequests));

async function runPaced<T>(work: Resting<T>, pace: () => Promise<void> | undefined): Promise<T> {
  for (;;) {
    const turn = work.next();
    if (turn.done) return turn.value;
    const rest = pace();
    if (rest !== undefined) await rest;
  }
}
