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
}

const checkpointName = 'audit-checkpoint';

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

export interface Background {
  start(): void;
  /** Ends what runs; what was written since the last checkpoint gets one more. */
  stop(): Promise<void>;
}

/** Work that nobody waits for, done by one of the processes that share the store. */
export function createBackground(deps: BackgroundDeps): Background {
  const { storage, clock, ids, log, tenants } = deps;
  let jobs: Jobs | undefined;
  return {
    start() {
      jobs ??= createJobs({ leases: createLeases({ storage, clock, ids }), log }, [
        ...createSweeps({ storage, clock, tenants: () => tenants.all() }),
        checkpointJob(deps),
      ]);
      jobs.start();
    },
    async stop() {
      await jobs?.runNow(checkpointName);
      await jobs?.stop();
    },
  };
}
