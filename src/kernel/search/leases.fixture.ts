import type { Leases } from '../jobs/leases.ts';

/** Leases that are shared by the users of this object only. */
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
