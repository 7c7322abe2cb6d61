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

/** The tenants that have called in this process. A shared store does not let anyone list its tenants. */
export interface TenantList {
  track(invoke: Invoke): Invoke;
  all(): Promise<readonly TenantId[]>;
}

export function createTenantList(): TenantList {
  const tenants = new Set<TenantId>([localTenant]);
  return {
    track: (invoke) => (invocation) => {
      tenants.add(invocation.caller.tenant);
      return invoke(invocation);
    },
    all: async () => [...tenants],
  };
}

export interface BackgroundDeps {
  readonly storage: Storage;
  readonly audit: () => Audit;
  readonly tenants: TenantList;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly scrub: PeriodicJob;
  /** Merges due segments and removes abandoned ones; undefined if this process has no search index open. */
  readonly searchMaintenance: () => ((tenant: TenantId) => Promise<unknown>) | undefined;
}

const backgroundLimits = {
  /** Searches and writes trigger merges themselves; this covers idle indexes. */
  searchMaintenanceEveryMs: 3_600_000,
} as const;

const checkpointName = 'audit-checkpoint';
export const searchMaintenanceName = 'search-maintenance';

/** Writes the heads of the audit chains to a file outside the database. */
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

/** Removes segments of processes that were killed or ended early. Does not load an index for that. */
const searchMaintenanceJob = ({ searchMaintenance, tenants }: BackgroundDeps): PeriodicJob => ({
  name: searchMaintenanceName,
  everyMs: backgroundLimits.searchMaintenanceEveryMs,
  async run(signal) {
    const maintain = searchMaintenance();
    for (const tenant of maintain === undefined ? [] : await tenants.all()) {
      if (signal.aborted) return;
      await maintain?.(tenant);
    }
  },
});

export interface Background {
  start(): void;
  /** Adds the jobs of a memory when it is first used. */
  add(more: readonly PeriodicJob[]): void;
  /** Runs one job immediately, once started. */
  runNow(name: string): Promise<void>;
  /** Stops all jobs after a last checkpoint. */
  stop(): Promise<void>;
}

/** Periodic jobs; leases make sure that one process at a time runs each. */
export function createBackground(deps: BackgroundDeps): Background {
  const { storage, clock, ids, log, tenants } = deps;
  const leases = createLeases({ storage, clock, ids });
  const own = createJobs({ leases, log }, [
    ...createSweeps({ storage, clock, tenants: () => tenants.all() }),
    checkpointJob(deps),
    searchMaintenanceJob(deps),
    deps.scrub,
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
