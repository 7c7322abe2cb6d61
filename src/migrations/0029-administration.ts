import type { Migration } from '#kernel/storage/migration.ts';

/** Calls per memory and hour, and indexes for the audit trail by actor and tool and for the last run of a connector. */
export const administration: Migration = {
  id: 29,
  name: 'administration',
  tenantTables: ['usage_hours'],
  privateTables: ['usage_hours'],
  up: (d) => [
    'create index changes_by_actor on changes (tenant, actor, seq)',
    'create index changes_by_tool on changes (tenant, tool, seq)',
    'create index sync_runs_by_start on sync_runs (tenant, connector_id, started_at)',
    `create table usage_hours (
      tenant ${d.text} not null, hour ${d.integer} not null, memory ${d.text} not null,
      calls_count ${d.integer} not null, writes_count ${d.integer} not null, errors_count ${d.integer} not null,
      primary key (tenant, hour, memory)
    ) ${d.clustered}`,
  ],
};
