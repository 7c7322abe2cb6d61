import type { Call } from '../call.ts';
import type { Migration } from './migration.ts';
import type { Storage } from './port.ts';
import { type Sql, sql } from './sql.ts';
import { describeTables, type Table } from './transfer-tables.ts';

export const removalLimits = { rowsPerWriteCount: 1_000 } as const;

export interface RemovalOptions {
  readonly storage: Pick<Storage, 'read' | 'write' | 'capabilities'>;
  readonly migrations: readonly Migration[];
  /** A call of the tenant that is removed; its writes are not audited. */
  call(): Call;
}

/** The first rows of the tenant; a limit in `delete` itself exists on neither engine. */
function deleteRows({ name, key }: Table, tenant: string): Sql {
  const columns = key.length === 0 ? 'tenant' : key.map((column) => column.name).join(', ');
  const parts = [
    `delete from ${name} where tenant = `,
    ` and (${columns}) in (select ${columns} from ${name} where tenant = `,
    ' limit ',
    ')',
  ];
  return { parts, args: [tenant, tenant, removalLimits.rowsPerWriteCount] };
}

async function emptyTable({ storage, call }: RemovalOptions, table: Table): Promise<number> {
  for (let total = 0; ; ) {
    const { tenant, ...rest } = call();
    const count = await storage.write({ ...rest, tenant }, (db) => db.run(deleteRows(table, tenant)));
    total += count;
    if (count < removalLimits.rowsPerWriteCount) return total;
  }
}

/**
 * Deletes every row of a tenant, its audit trail included, a limited number per write. A removal that was interrupted can
 * be repeated. The name must not be used again: caches of other processes and checkpoints still know it.
 */
export async function removeTenantRows(options: RemovalOptions): Promise<number> {
  const { storage, migrations, call } = options;
  const names = [...new Set(migrations.flatMap(({ tenantTables }) => tenantTables))];
  const tables = await storage.read(call(), (db) => describeTables(db, storage.capabilities, names, []));
  let total = 0;
  // Background jobs may still write derived rows, so look once more until there is nothing.
  for (let count = -1; count !== 0; total += count) {
    count = 0;
    for (const table of tables) count += await emptyTable(options, table);
  }
  const { tenant } = call();
  await storage.write(call(), (db) => db.run(sql`delete from tenants where name = ${tenant}`));
  return total;
}
