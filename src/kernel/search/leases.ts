/** What the index needs of the kernel's jobs: work that one process alone does. */
export interface Leases {
  /** Undefined when another process holds the lease. The signal aborts when it is lost while the work goes on. */
  hold<T>(name: string, ttlMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined>;
}

/** Leases for tests: among those who share this object. */
export function createLocalLeases(): Leases {
  const held = new Set<string>();
  return {
    async hold(name, _ttlMs, work) {
      if (held.has(name)) return undefined;
      held.add(name);
      try {
        return await work(new AbortController().signal);
      } finally {
        held.delete(name);
      }
    },
  };
}
