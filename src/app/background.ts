import type { Audit } from '#kernel/audit/audit.ts';
import { localTenant, type TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import type { Ids } from '#kernel/ids/ids.ts';
import { createJobs, type JobStatus, type Jobs, type PeriodicJob } from '#kernel/jobs/jobs.ts';
import { createLeases } from '#kernel/jobs/leases.ts';
import { createSweeps } from '#kernel/jobs/sweeps.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { listTenants } from '#kernel/jobs/tenants.ts';
import { limits } from '#kernel/limits.ts';
import type { Log } from '#kernel/log/log.ts';
import type { Storage } from '#kernel/storage/port.ts';
import type { Invoke } from '#kernel/tool/invoke.ts';

type TenantList = ReturnType<typeof createTenantList>;

/** The tenants that have called in this process. */
export function createTenantList() {
  const tenants = new Set<TenantId>([localTenant]);
  const written = new Set<TenantId>();
  return {
    /** Records that the audit chain of this tenant may have grown. */
    noteWrite: (tenant: TenantId) => void written.add(tenant),
    /** Returns the tenants recorded since the last call. */
    takeWritten(): readonly TenantId[] {
      const taken = [...written];
      written.clear();
      return taken;
    },
    hasWritten: () => written.size > 0,
    track:
      (invoke: Invoke): Invoke =>
      (invocation) => {
        tenants.add(invocation.caller.tenant);
        return invoke(invocation);
      },
    all: async (): Promise<readonly TenantId[]> => [...tenants],
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
  /** Tenants per write of the checkpoint file. */
  checkpointedTenantsCount: 200,
  /** The job of another process holds the lease for a few milliseconds. */
  lastCheckpointAttemptsCount: 20,
  lastCheckpointRetryMs: 100,
} as const;

export const checkpointName = 'audit-checkpoint';
export const searchMaintenanceName = 'search-maintenance';

/**
 * Writes the heads of the audit chains to a file outside the database. The first run of a server covers every tenant:
 * a process that was killed may have left rows without a checkpoint.
 */
function checkpointJob({ audit, storage, tenants }: BackgroundDeps, isServer: () => boolean): PeriodicJob {
  let isFirst = true;

  async function checkpoint(due: readonly TenantId[], signal: AbortSignal): Promise<void> {
    for (let i = 0; i < due.length; i += backgroundLimits.checkpointedTenantsCount) {
      signal.throwIfAborted();
      const page = due.slice(i, i + backgroundLimits.checkpointedTenantsCount);
      await audit().checkpoint(...page.map((tenant) => systemCall('jobs/checkpoint', { tenant, signal })));
    }
  }

  return {
    name: checkpointName,
    everyMs: limits.checkpointEveryMs,
    async run(signal) {
      const written = tenants.takeWritten();
      try {
        await checkpoint(isFirst && isServer() ? await listTenants(storage) : written, signal);
        isFirst = false;
      } catch (error) {
        for (const tenant of written) tenants.noteWrite(tenant);
        throw error;
      }
    },
  };
}

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

/** Periodic jobs; leases make sure that one process at a time runs each. */
export function createBackground(deps: BackgroundDeps) {
  const { storage, clock, ids, log, tenants } = deps;
  const leases = createLeases({ storage, clock, ids });
  let isStarted = false;
  const own = createJobs({ leases, log, clock }, [
    ...createSweeps({ storage, clock, tenants: () => tenants.all() }),
    checkpointJob(deps, () => isStarted),
    searchMaintenanceJob(deps),
    deps.scrub,
  ]);
  const added: Jobs[] = [];

  /** So that every write of this process is covered when it ends. */
  async function writeLastCheckpoint(): Promise<void> {
    for (let i = 0; i < backgroundLimits.lastCheckpointAttemptsCount && tenants.hasWritten(); i += 1) {
      if (i > 0) await new Promise((resolve) => setTimeout(resolve, backgroundLimits.lastCheckpointRetryMs));
      await own.runNow(checkpointName);
    }
  }

  return {
    start() {
      isStarted = true;
      for (const jobs of [own, ...added]) jobs.start();
    },
    /** Adds the jobs of a memory when it is first used. */
    add(more: readonly PeriodicJob[]) {
      const jobs = createJobs({ leases, log, clock }, more);
      added.push(jobs);
      if (isStarted) jobs.start();
    },
    status: (): readonly JobStatus[] => [own, ...added].flatMap((jobs) => jobs.status()),
    /** Runs one job immediately, once started. */
    async runNow(name: string) {
      if (isStarted) await own.runNow(name);
    },
    /** Stops all jobs after a last checkpoint. */
    async stop() {
      await writeLastCheckpoint();
      await Promise.all([own, ...added].map((jobs) => jobs.stop()));
    },
  };
}
