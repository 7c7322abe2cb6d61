export const workerLimits = {
  workerThreadsCount: 4,
  workerQueueCount: 256,
  workerQueuePerTenantCount: 64,
  /** The time limit of a job, from the moment its code is loaded. */
  workerWallMs: 2_000,
  workerStartMs: 10_000,
  workerIdleMs: 30_000,
  workerHeapMb: 128,
  workerStackMb: 4,
  /** What a process may take besides its heap: Node itself, buffers, WebAssembly. */
  workerOutsideHeapMb: 256,
  /** How often a busy process checks its memory. */
  workerWatchMs: 50,
  /** A process that used a larger share of its memory is not reused. */
  workerRestRatio: 0.8,
  /** A process that works longer than this lowers its priority. */
  workerHighPriorityMs: 1_000,
} as const;
