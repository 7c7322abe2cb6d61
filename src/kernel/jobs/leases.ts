import type { Clock } from '../clock/clock.ts';
import type { Ids } from '../ids/ids.ts';
import type { Storage, Writer } from '../storage/port.ts';
import { dropLease, findHolder, renewLease, takeLease, takeOverLease } from './job-store.ts';
import { hasEnded, nameProcess } from './process-name.ts';
import { systemCall } from './system-call.ts';

/** Limits work to one process at a time among those that share the store. */
export interface Leases {
  /**
   * Undefined if another process holds the lease. A process of this machine that was killed holds it no longer. The
   * lease is renewed while `work` runs. If renewal fails for so long that another process may have taken it, the signal
   * aborts. Clocks must not differ by more than `ttlMs`.
   */
  hold<T>(name: string, ttlMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined>;
}

export interface LeasesDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly ids: Ids;
}

const tool = 'jobs/lease';

function* take(db: Writer, name: string, holder: string, ttlMs: number) {
  const taken = yield* takeLease(db, name, holder, ttlMs);
  if (taken !== undefined) return taken;
  const former = yield* findHolder(db, name);
  if (former === undefined || !hasEnded(former.holder)) return undefined;
  return yield* takeOverLease(db, name, former.holder, holder, ttlMs);
}

export function createLeases({ storage, clock, ids }: LeasesDeps): Leases {
  const callWithin = (ms: number) => systemCall(tool, { deadlineAt: clock.now() + ms });

  /** Renews the lease until stopped. A timer of its own ends it if no renewal succeeded in time. */
  function startRenewal(name: string, holder: string, ttlMs: number, takenAt: number) {
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
      const count = await storage.write(callWithin(ttlMs / 3), (db) => renewLease(db, name, holder, ttlMs));
      if (isOver) return;
      if (count === 0) lose();
      else expireAfter(askedAt);
    }

    // A store that is briefly unreachable is asked again next time; `expiry` covers a longer outage.
    const timer = setInterval(() => void renew().catch(() => {}), ttlMs / 3);
    timer.unref();
    expireAfter(takenAt);
    return {
      signal: controller.signal,
      stop() {
        isOver = true;
        clearInterval(timer);
        clearTimeout(expiry);
      },
    };
  }

  async function release(name: string, holder: string, ttlMs: number): Promise<void> {
    await storage.write(callWithin(ttlMs), (db) => dropLease(db, name, holder));
  }

  return {
    async hold(name, ttlMs, work) {
      const holder = nameProcess(ids.uuid());
      const askedAt = performance.now();
      const taken = await storage.write(callWithin(ttlMs), (db) => take(db, name, holder, ttlMs));
      if (taken === undefined) return undefined;
      const renewal = startRenewal(name, holder, ttlMs, askedAt);
      try {
        return await work(renewal.signal);
      } finally {
        renewal.stop();
        // A lease that cannot be released expires.
        await release(name, holder, ttlMs).catch(() => {});
      }
    },
  };
}
