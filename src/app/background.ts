import type { Audit } from '#kernel/audit/audit.ts';
import { localTenant, type TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import type { Ids } from '#kernel/ids/ids.ts';
import { createJobs, type Jobs, type PeriodicJob } from '#kernel/jobs/jobs.ts';
import { createLeases } from '#kernel/jobs/leases.ts';
import { createSweeps } from '#kernel/jobs/sweeps.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { limits } from '#kernel/limits.ts';
import type { Log } from '#kernel/log/log.ts';
import type { Storage } from '#kernel/storage/port.ts';
import type { Invoke } from '#kernel/tool/invoke.ts';

/** The tenants that have called in this process. Nobody may list the tenants of a shared store, so each is met as it comes. */
export interface TenantRoll {
  note(invoke: Invoke): Invoke;
  all(): Promise<readonly TenantId[]>;
}

export function createTenantRoll(): TenantRoll {
  const tenants = new Set<TenantId>([localTenant]);
  return {
    note: (invoke) => (invocation) => {
      tenants.add(invocation.caller.tenant);
      return invoke(invocation);
    },
    all: async () => [...tenants],
  };
}

export interface BackgroundDeps {
  readonly storage: Storage;
  readonly audit: () => Audit;
  readonly tenants: TenantRoll;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Merges what is due in the search indexes that this process uses, and sweeps what others left; undefined: it uses none. */
  readonly searchUpkeep: () => ((tenant: TenantId) => Promise<unknown>) | undefined;
}

const backgroundLimits = {
  /** Merges follow searches and writes by themselves; this is for what nobody came back to. */
  searchUpkeepEveryMs: 3_600_000,
} as const;

const checkpointName = 'audit-checkpoint';
export const searchUpkeepName = 'search-upkeep';

/** Notes the heads of the audit chains outside the database. */
const checkpointJob = ({ audit, tenants }: BackgroundDeps): PeriodicJob => ({
  name: checkpointName,
  everyMs: limits.checkpointEveryMs,
  async run(signal) {
    for (const tenant of await tenants.all()) {
      if (signal.aborted) return;
      await audit().checkpoint(systemCall('jobs/checkpoint', { tenant, signal }));
    }
  },
});

/** Segments of a process that was killed, or that ended before what it replaced could go. An index that nobody here uses is not loaded for it. */
const searchUpkeepJob = ({ searchUpkeep, tenants }: BackgroundDeps): PeriodicJob => ({
  name: searchUpkeepName,
  everyMs: backgroundLimits.searchUpkeepEveryMs,
  async run(signal) {
    const upkeep = searchUpkeep();
    for (const tenant of upkeep === undefined ? [] : await tenants.all()) {
      if (signal.aborted) return;
      await upkeep?.(tenant);
    }
  },
});

export interface Background {
  start(): void;
  /** Takes on the jobs of a memory when it is first used. */
  add(more: readonly PeriodicJob[]): void;
  /** Runs one job now, once started; resolves when it is over. */
  runNow(name: string): Promise<void>;
  /** Ends what runs; what was written since the last checkpoint gets one more. */
  stop(): Promise<void>;
}

/** Work that nobody waits for, done by one of the processes that share the store. */
export function createBackground(deps: BackgroundDeps): Background {
  const { storage, clock, ids, log, tenants } = deps;
  const leases = createLeases({ storage, clock, ids });
  const own = createJobs({ leases, log }, [
    ...createSweeps({ storage, clock, tenants: () => tenants.all() }),
    checkpointJob(deps),
    searchUpkeepJob(deps),
  ]);
  const added: Jobs[] = [];
  let isStarted = false;
  return {
    start() {
      isStarted = true;
      for (const jobs of [own, ...added]) jobs.start();
    },
    add(more) {
      const jobs = createJobs({ leases, log }, more);
      added.push(jobs);
      if (isStarted) jobs.start();
    },
    async runNow(name) {
      if (isStarted) await own.runNow(name);
    },
    async stop() {
      if (isStarted) await own.runNow(checkpointName);
      await Promise.all([own, ...added].map((jobs) => jobs.stop()));
    },
  };
}
