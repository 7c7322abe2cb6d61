import type { TenantId } from '#kernel/call.ts';
import { workerFaults } from '#kernel/workers/worker-faults.ts';

export interface Turns {
  /** Runs the work when this tenant has fewer than `atOnceCount` of them under way; first come, first served. */
  run<T>(tenant: TenantId, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

interface Lane {
  running: number;
  readonly waiting: Set<() => void>;
}

/** Bounds what one tenant has under way, so that its slow work cannot hold every thread. */
export function createTurns(limits: { readonly atOnceCount: number; readonly waitingCount: number }): Turns {
  const lanes = new Map<TenantId, Lane>();

  function wait(lane: Lane, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        lane.waiting.delete(go);
        reject(signal.reason);
      };
      const go = () => {
        signal.removeEventListener('abort', onAbort);
        lane.waiting.delete(go);
        resolve();
      };
      lane.waiting.add(go);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  return {
    async run(tenant, signal, work) {
      signal.throwIfAborted();
      const lane = lanes.get(tenant) ?? { running: 0, waiting: new Set() };
      lanes.set(tenant, lane);
      if (lane.running < limits.atOnceCount) lane.running += 1;
      else if (lane.waiting.size >= limits.waitingCount)
        throw workerFaults.WORKERS_BUSY({ waiting: lane.waiting.size });
      // Whoever ends hands its place on, so nobody overtakes those who wait.
      else await wait(lane, signal);
      try {
        return await work();
      } finally {
        const [next] = lane.waiting;
        if (next === undefined) lane.running -= 1;
        else next();
        if (lane.running === 0) lanes.delete(tenant);
      }
    },
  };
}
