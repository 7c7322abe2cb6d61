import type { Migration } from '#kernel/storage/migration.ts';

/** Connections to other services, their secrets and the runs of their imports. */
export const connectorTables: Migration = {
  id: 25,
  name: 'connectors',
  tenantTables: ['connectors', 'connector_items', 'sync_runs'],
  privateTables: ['connectors', 'connector_items', 'sync_runs'],
  up: (d) => [
    `create table connectors (
      tenant ${d.text} not null, id ${d.text} not null, provider ${d.text} not null, name ${d.text} not null,
      options ${d.text} not null, secret ${d.text}, cursor ${d.text}, created_at ${d.integer} not null,
      synced_at ${d.integer},
      primary key (tenant, id)
    ) ${d.table}`,
    `create table connector_items (
      tenant ${d.text} not null, connector_id ${d.text} not null, item ${d.text} not null, hash ${d.text} not null,
      primary key (tenant, connector_id, item)
    ) ${d.clustered}`,
    `create table sync_runs (
      tenant ${d.text} not null, id ${d.text} not null, connector_id ${d.text} not null, provider ${d.text} not null,
      status ${d.text} not null, page_limit ${d.integer} not null, pages_max ${d.integer} not null,
      pages ${d.integer} not null, added ${d.integer} not null, updated ${d.integer} not null,
      errors ${d.integer} not null, problems ${d.text} not null, is_cancelled ${d.integer} not null, error ${d.text},
      started_at ${d.integer} not null, completed_at ${d.integer},
      primary key (tenant, id)
    ) ${d.table}`,
    // At most one open run per connector, whichever process starts it.
    `create unique index sync_runs_open on sync_runs (tenant, connector_id) where completed_at is null`,
  ],
};
