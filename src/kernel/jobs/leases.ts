import type { Clock } from '../clock/clock.ts';
import type { Ids } from '../ids/ids.ts';
import type { Storage } from '../storage/port.ts';
import { dropLease, renewLease, takeLease } from './job-store.ts';
import { systemCall } from './system-call.ts';

/** Limits work to one process at a time among those that share the store. */
export interface Leases {
  /**
   * Undefined if another process holds the lease. The lease is renewed while `work` runs. If renewal fails for so long
   * that another process may have taken it, the signal aborts. Clocks must not differ by more than `ttlMs`.
   */
  hold<T>(name: string, ttlMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined>;
}

export interface LeasesDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly ids: Ids;
}

const tool = 'jobs/lease';

export function createLeases({ storage, clock, ids }: LeasesDeps): Leases {
  const callWithin = (ms: number) => systemCall(tool, { deadlineAt: clock.now() + ms });

  /** Renews the lease until stopped. A timer of its own ends it if no renewal succeeded in time. */
  function keep(name: string, holder: string, ttlMs: number, takenAt: number) {
    const controller = new AbortController();
    const lose = () => controller.abort(new Error(`the lease ${name} was lost`));
    let expiry: NodeJS.Timeout | undefined;
    let isOver = false;

    /** Measured from before the query, so that the lease never ends later here than in the store. */
    function expireAfter(askedAt: number): void {
      clearTimeout(expiry);
      expiry = setTimeout(lose, ttlMs - (performance.now() - askedAt));
      expiry.unref();
    }

    async function renew(): Promise<void> {
      const askedAt = performance.now();
      const count = await storage.write(callWithin(ttlMs / 3), function* (db) {
        return yield* renewLease(db, name, holder, ttlMs);
      });
      if (isOver) return;
      if (count === 0) lose();
      else expireAfter(askedAt);
    }

    // A store that is briefly unreachable is asked again next time; `expiry` covers a longer outage.
    const turns = setInterval(() => void renew().catch(() => {}), ttlMs / 3);
    turns.unref();
    expireAfter(takenAt);
    return {
      signal: controller.signal,
      stop() {
        isOver = true;
        clearInterval(turns);
        clearTimeout(expiry);
      },
    };
  }

  async function giveBack(name: string, holder: string, ttlMs: number): Promise<void> {
    await storage.write(callWithin(ttlMs), function* (db) {
      yield* dropLease(db, name, holder);
    });
  }

  return {
    async hold(name, ttlMs, work) {
      const holder = ids.uuid();
      const askedAt = performance.now();
      const taken = await storage.write(callWithin(ttlMs), function* (db) {
        return yield* takeLease(db, name, holder, ttlMs);
      });
      if (taken === undefined) return undefined;
      const keeper = keep(name, holder, ttlMs, askedAt);
      try {
        return await work(keeper.signal);
      } finally {
        keeper.stop();
        // A lease that cannot be released expires.
        await giveBack(name, holder, ttlMs).catch(() => {});
      }
    },
  };
}
