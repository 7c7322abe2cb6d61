export const workerLimits = {
  workerThreadsCount: 4,
  workerQueueCount: 256,
  workerQueuePerTenantCount: 64,
  /** A job's own time, from the moment its code is loaded. */
  workerWallMs: 2_000,
  workerStartMs: 10_000,
  workerIdleMs: 30_000,
  workerHeapMb: 128,
  workerStackMb: 4,
  /** What a process may take beside its heap: Node itself, buffers, WebAssembly. */
  workerOutsideHeapMb: 256,
  /** How often a process that works looks at what it takes. */
  workerWatchMs: 50,
  /** A process that took more of what it may is not kept for the next job. */
  workerRestRatio: 0.8,
  /** A process that works longer than this lets others go first. */
  workerPatienceMs: 1_000,
} as const;
