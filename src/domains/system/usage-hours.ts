import type { Call, Caller, TenantId } from '#kernel/call.ts';
import { type Clock, toIso } from '#kernel/clock/clock.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import type { Log } from '#kernel/log/log.ts';
import type { Storage } from '#kernel/storage/port.ts';
import type { Invoke, Outcome } from '#kernel/tool/invoke.ts';
import { addUsage, deleteOldUsage, listUsage, type UsageHour } from './usage-store.ts';

const hourMs = 3_600_000;

const usageLimits = {
  shownHoursCount: 24,
  keptHoursCount: 7 * 24,
  flushEveryMs: 5_000,
  /** Tenants whose sums wait for the store; further ones are not counted until the next flush. */
  waitingTenantsCount: 1_000,
  flushDeadlineMs: 5_000,
} as const;

const toHour = (at: number): number => Math.floor(at / hourMs);

type Sum = { -readonly [K in keyof UsageHour]: UsageHour[K] };

export interface UsageHoursDeps {
  readonly storage: Pick<Storage, 'read' | 'write'>;
  readonly clock: Clock;
  readonly log: Log;
  /** False if the server only reads. */
  readonly isOn: boolean;
}

export type UsageHours = ReturnType<typeof createUsageHours>;

/**
 * Counts calls, writes and failures per memory and hour. A call only adds to sums in memory, which are stored in the
 * background: no call waits for it. A killed process loses its last seconds. What a person in a browser reads is left out,
 * because each page reads many times.
 */
export function createUsageHours({ storage, clock, log, isOn }: UsageHoursDeps) {
  let waiting = new Map<TenantId, Map<string, Sum>>();
  const sweptHours = new Map<TenantId, number>();
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();

  const callOf = (tenant: TenantId): Call =>
    systemCall('usage', { tenant, deadlineAt: clock.now() + usageLimits.flushDeadlineMs });

  async function store(tenant: TenantId, sums: readonly Sum[]): Promise<void> {
    const hour = toHour(clock.now());
    const isDue = sweptHours.get(tenant) !== hour;
    try {
      await storage.write(callOf(tenant), function* (db) {
        yield* addUsage(db, sums);
        if (isDue) yield* deleteOldUsage(db, hour - usageLimits.keptHoursCount);
      });
      sweptHours.set(tenant, hour);
    } catch (error) {
      log.warn({ err: error }, 'could not store how often tools were called');
    }
  }

  async function storeAll(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const taken = waiting;
    waiting = new Map();
    // In the same order for every process, so that none waits for another in a circle.
    const byMemory = (a: Sum, b: Sum): number => a.hour - b.hour || (a.memory < b.memory ? -1 : 1);
    for (const [tenant, sums] of taken) await store(tenant, [...sums.values()].toSorted(byMemory));
  }

  /** Resolves when all calls so far are stored. */
  function flush(): Promise<void> {
    flushing = flushing.then(storeAll);
    return flushing;
  }

  function record({ tenant, isSignedIn }: Caller, outcome: Outcome): void {
    if (outcome.card === undefined) return;
    const { toolset: memory, effect } = outcome.card;
    if (isSignedIn && effect === 'read') return;
    const hour = toHour(clock.now());
    let sums = waiting.get(tenant);
    if (sums === undefined) {
      if (waiting.size >= usageLimits.waitingTenantsCount) return;
      sums = new Map();
      waiting.set(tenant, sums);
    }
    const key = `${hour} ${memory}`;
    const sum = sums.get(key) ?? { hour, memory, calls_count: 0, writes_count: 0, errors_count: 0 };
    sums.set(key, sum);
    sum.calls_count += 1;
    if (!outcome.ok) sum.errors_count += 1;
    else if (effect !== 'read') sum.writes_count += 1;
    timer ??= setTimeout(() => void flush(), usageLimits.flushEveryMs).unref();
  }

  return {
    flush,
    track(invoke: Invoke): Invoke {
      if (!isOn) return invoke;
      return (invocation) => {
        const running = invoke(invocation);
        running.then(
          (outcome) => record(invocation.caller, outcome),
          () => {},
        );
        return running;
      };
    },
    /** The last hours of a tenant, the present one last; an hour without calls is missing. */
    async list(call: Call) {
      await flush();
      const hour = toHour(clock.now());
      const rows = await storage.read(call, (db) => listUsage(db, hour - usageLimits.shownHoursCount + 1));
      return {
        from: toIso((hour - usageLimits.shownHoursCount + 1) * hourMs),
        hoursCount: usageLimits.shownHoursCount,
        hours: rows.map(({ hour: at, memory, calls_count, writes_count, errors_count }) => ({
          at: toIso(at * hourMs),
          memory,
          calls: calls_count,
          writes: writes_count,
          errors: errors_count,
        })),
      };
    },
  };
}
