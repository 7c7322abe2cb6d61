import { setImmediate } from 'node:timers/promises';

/** Lets timers, sockets and other requests run before the caller goes on. Long synchronous work calls it now and then. */
export async function yieldToEventLoop(signal?: AbortSignal): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}
