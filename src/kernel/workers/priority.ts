import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;

/**
 * Lowers the priority of long work, so that it does not delay calls in the event loop. Linux counts priorities by
 * thread, so the running thread has to be named.
 */
export function lowerPriority(): void {
  try {
    const threadIds = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [process.pid];
    for (const id of threadIds) setPriority(id, PRIORITY_BELOW_NORMAL);
  } catch {
    // A container may hide or forbid /proc, and a thread may be gone: then the priority stays.
  }
}

/** Gives the calling thread the lowest priority. Only Linux counts priorities by thread: elsewhere it stays. */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    // Without an id, it is that of the calling thread.
    setPriority(PRIORITY_LOW);
  } catch {
    // A container may forbid it: then the priority stays.
  }
}
