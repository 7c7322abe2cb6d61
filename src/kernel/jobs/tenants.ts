import { type TenantId, toTenantId } from '../call.ts';
import type { Storage } from '../storage/port.ts';
import { sql } from '../storage/sql.ts';
import { systemCall } from './system-call.ts';

/** Every tenant that ever wrote, by name. For operators and background jobs: a caller never sees another tenant. */
export async function listTenants(storage: Pick<Storage, 'read'>): Promise<readonly TenantId[]> {
  const rows = await storage.read(systemCall('tenants'), (db) =>
    db.all(sql<{ name: string }>`select name from tenants order by name`),
  );
  return rows.map(({ name }) => toTenantId(name));
}
