import { setImmediate, setTimeout } from 'node:timers/promises';

/** Lets timers, sockets and other requests run before the caller continues. */
export async function yieldToEventLoop(signal?: AbortSignal): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}

/** A request takes several turns of the event loop, and the next one often follows immediately. */
const quietMs = 25;
/** Background work goes on after this, however many requests arrive. */
const backgroundWaitMs = 100;

/** When the last request arrived in this process, which has one event loop. */
let lastRequestAt = Number.NEGATIVE_INFINITY;

export function noteRequest(): void {
  lastRequestAt = performance.now();
}

/**
 * For background work: also waits while requests arrive one after another. A request that waits for the background work
 * itself does not hold it up, because only its arrival counts.
 */
export async function yieldToRequests(signal?: AbortSignal): Promise<void> {
  await yieldToEventLoop(signal);
  const waitsUntil = performance.now() + backgroundWaitMs;
  for (;;) {
    const now = performance.now();
    const waitMs = Math.min(lastRequestAt + quietMs, waitsUntil) - now;
    if (waitMs <= 0) return;
    await setTimeout(Math.ceil(waitMs));
    signal?.throwIfAborted();
  }
}

/**
 * For long work that calls it often: yields once the slice of time is used up. Returns undefined before that, so that
 * the work need not await each call.
 */
export function createPacer(
  sliceMs: number,
  signal?: AbortSignal,
  yieldToOthers = yieldToEventLoop,
): () => Promise<void> | undefined {
  let sliceEndsAt = performance.now() + sliceMs;
  async function rest(): Promise<void> {
    await yieldToOthers(signal);
    sliceEndsAt = performance.now() + sliceMs;
  }
  return () => (performance.now() < sliceEndsAt ? undefined : rest());
}
