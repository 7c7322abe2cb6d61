export const workerLimits = {
  workerThreadsCount: 4,
  workerQueueCount: 256,
  workerQueuePerTenantCount: 64,
  /** The time limit of a job, from the moment its code is loaded. */
  workerWallMs: 2_000,
  /** Generous: how long a start takes depends on what else the machine does. */
  workerStartMs: 60_000,
  workerIdleMs: 30_000,
  workerHeapMb: 128,
  workerStackMb: 4,
  /** What a process may take besides its heap: Node itself, buffers, WebAssembly. */
  workerOutsideHeapMb: 256,
  /** How often a busy process checks its memory and CPU time: it may take a few hundred MB in a tenth of a second. */
  workerWatchMs: 10,
  /** A process that has a larger share of its memory after a job is not reused. */
  workerRestRatio: 0.8,
  /** A process that works longer than this lowers its priority. */
  workerHighPriorityMs: 1_000,
} as const;
