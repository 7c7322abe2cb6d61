import type { Migration } from '#kernel/storage/migration.ts';

/**
 * The names of all tenants that ever wrote. Row-level security hides the other tables from an operator who asks for
 * every tenant; this one holds no content.
 */
export const tenantsTable: Migration = {
  id: 10,
  name: 'tenants',
  tenantTables: [],
  up: (d) => [
    `create table tenants (name ${d.text} primary key) ${d.table}`,
    'insert into tenants (name) select tenant from audit_heads',
  ],
};
