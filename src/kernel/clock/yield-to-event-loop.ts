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

/** Comparable between threads, unlike `performance.now()`. */
const now = (): number => performance.timeOrigin + performance.now();

/** When the last request arrived in this process. Shared, so that other threads can wait for requests too. */
export type RequestClock = Float64Array<SharedArrayBuffer>;

export const requestClock: RequestClock = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT));

export function noteRequest(): void {
  requestClock[0] = now();
}

/**
 * For background work: also waits while requests arrive one after another. A request that waits for the background work
 * itself does not hold it up, because only its arrival counts.
 */
export async function yieldToRequests(signal?: AbortSignal, clock = requestClock): Promise<void> {
  await yieldToEventLoop(signal);
  const waitsUntil = now() + backgroundWaitMs;
  for (;;) {
    const waitMs = Math.min(clock[0]! + quietMs, waitsUntil) - now();
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
