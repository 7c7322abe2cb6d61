import { setImmediate } from 'node:timers/promises';

/** Lets timers, sockets and other requests run before the caller continues. */
export async function yieldToEventLoop(signal?: AbortSignal): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}

/**
 * For long work that calls it often: yields to the event loop once the slice of time is used up. Returns undefined
 * before that, so that the work need not await each call.
 */
export function createPacer(sliceMs: number, signal?: AbortSignal): () => Promise<void> | undefined {
  let sliceEndsAt = performance.now() + sliceMs;
  async function rest(): Promise<void> {
    await yieldToEventLoop(signal);
    sliceEndsAt = performance.now() + sliceMs;
  }
  return () => (performance.now() < sliceEndsAt ? undefined : rest());
}
