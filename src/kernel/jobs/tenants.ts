import { type TenantId, toTenantId } from '../call.ts';
import type { Storage } from '../storage/port.ts';
import { sql } from '../storage/sql.ts';
import type { PeriodicJob } from './jobs.ts';
import { systemCall } from './system-call.ts';

/** Every tenant that ever wrote, by name. For operators and background jobs: a caller never sees another tenant. */
export async function listTenants(storage: Pick<Storage, 'read'>): Promise<readonly TenantId[]> {
  const rows = await storage.read(systemCall('tenants'), (db) =>
    db.all(sql<{ name: string }>`select name from tenants order by name`),
  );
  return rows.map(({ name }) => toTenantId(name));
}

/** A part of the same list, after a name. */
export async function listTenantsAfter(
  storage: Pick<Storage, 'read'>,
  after: string,
  limit: number,
): Promise<readonly TenantId[]> {
  const rows = await storage.read(systemCall('tenants'), (db) =>
    db.all(sql<{ name: string }>`select name from tenants where name > ${after} order by name limit ${limit}`),
  );
  return rows.map(({ name }) => toTenantId(name));
}

/** The `run` of a job that works for one tenant after the other. */
export const forEachTenant =
  (
    tenants: () => Promise<readonly TenantId[]>,
    work: (tenant: TenantId, signal: AbortSignal) => Promise<void>,
  ): PeriodicJob['run'] =>
  async (signal) => {
    for (const tenant of await tenants()) {
      if (signal.aborted) return;
      await work(tenant, signal);
    }
  };
