import type { Audit } from '#kernel/audit/audit.ts';
import type { Call, TenantId } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import type { JobStatus } from '#kernel/jobs/jobs.ts';
import type { ScrubProgress } from '#kernel/jobs/scrub.ts';
import { fitPage } from '#kernel/text/budget.ts';
import type { DeepReadonly } from '#kernel/tool/tool.ts';
import { aboutJobs } from './rules/about-jobs.ts';
import { expectOperator } from './rules/operator.ts';
import type { BackupCreateInput, MadeBackup } from './tools/backup-create.ts';
import type { BackupList } from './tools/backup-list.ts';
import type { ShownSetting } from './tools/settings-list.ts';
import type { TenantsListInput } from './tools/tenants-list.ts';

interface CollectionProgress {
  readonly collection: string;
  readonly embedded: number;
  readonly pending: number;
}

/** What the whole server does and has, for the operator alone. */
export interface OperationPorts {
  settings(): readonly DeepReadonly<ShownSetting>[];
  jobs(): readonly JobStatus[];
  scrub(): ScrubProgress;
  /** Undefined if this process has searched nothing yet. */
  embedding(): Promise<readonly CollectionProgress[] | undefined>;
  /** The migrations that this program has. */
  schemaVersion(): Promise<number>;
  createBackup(input: BackupCreateInput, call: Call): Promise<DeepReadonly<MadeBackup>>;
  listBackups(): Promise<DeepReadonly<BackupList>>;
}

export interface OperationsDeps extends OperationPorts {
  /** Tenants of the store after a name, sorted. */
  tenantsAfter(name: string, limit: number): Promise<readonly TenantId[]>;
  readonly audit: () => Audit;
  readonly cursors: () => Cursors;
}

const tenantsTool = 'tenants/list';

const showJob = ({ everyMs, startedAt, endedAt, ...job }: JobStatus) => ({
  ...job,
  about: aboutJobs[job.name] ?? 'Background work of this program.',
  everySeconds: Math.round(everyMs / 1_000),
  ...(startedAt !== undefined && { startedAt: toIso(startedAt) }),
  ...(endedAt !== undefined && { endedAt: toIso(endedAt) }),
});

export function createOperations(deps: OperationsDeps) {
  const { audit, cursors } = deps;

  /** Row-level security: each tenant is asked for its own newest row. */
  async function showTenant(tenant: TenantId, call: Call) {
    const [newest] = (await audit().list({ ...call, tenant }, { limit: 1 })).rows;
    return {
      tenant,
      changesCount: newest?.seq ?? 0,
      ...(newest !== undefined && { lastChangeAt: toIso(newest.at) }),
    };
  }

  return {
    async tenants({ limit, cursor }: TenantsListInput, call: Call) {
      expectOperator(call, tenantsTool);
      const after = cursor === undefined ? '' : String(cursors().open(tenantsTool, call.tenant, cursor));
      const found = await deps.tenantsAfter(after, limit + 1);
      const shown = [];
      for (const tenant of found.slice(0, limit)) shown.push(await showTenant(tenant, call));
      const { items } = fitPage(shown);
      const last = items.at(-1);
      const hasMore = last !== undefined && items.length < found.length;
      return { tenants: items, ...(hasMore && { nextCursor: cursors().seal(tenantsTool, call.tenant, last.tenant) }) };
    },

    settings(call: Call) {
      expectOperator(call, 'settings/list');
      return { settings: deps.settings() };
    },

    async jobs(call: Call) {
      expectOperator(call, 'jobs/list');
      return {
        jobs: deps.jobs().map(showJob),
        scrub: deps.scrub(),
        embedding: (await deps.embedding()) ?? [],
        schema: await deps.schemaVersion(),
      };
    },

    async createBackup(input: BackupCreateInput, call: Call) {
      expectOperator(call, 'backup/create');
      return deps.createBackup(input, call);
    },

    async listBackups(call: Call) {
      expectOperator(call, 'backup/list');
      return deps.listBackups();
    },
  };
}
