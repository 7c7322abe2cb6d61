import type { Migration } from '#kernel/storage/migration.ts';

const changes = {
  table: 'notebook_cell_changes',
  columns: [
    ...['cell_id', 'number', 'action', 'actor', 'at', 'position', 'new_position', 'version', 'language', 'validate'],
    ...['tags', 'json_schema', 'metadata', 'content'],
  ],
};

/**
 * The history of cells. `number` is the revision of the pad after the change, so no counter is needed. A row holds what
 * the cell said before the change; the present text is only in its cell. The creation of a whole pad is one row without
 * a cell id. Former versions were in the trash before, where those of the last 30 days can still be found.
 */
export const cellHistory: Migration = {
  id: 30,
  name: 'cell-history',
  tenantTables: ['notebook_cell_changes'],
  hashedTables: [changes],
  up: (d) => [
    // The content is the last long column, so that lists stop before it.
    `create table notebook_cell_changes (
      tenant ${d.text} not null, pad_key ${d.text} not null, cell_id ${d.text} not null, number ${d.integer} not null,
      action ${d.text} not null, actor ${d.text} not null, at ${d.integer} not null, position ${d.integer},
      new_position ${d.integer}, version ${d.integer}, language ${d.text}, validate ${d.integer}, tags ${d.text},
      content_bytes ${d.integer}, kept_bytes ${d.integer} not null, json_schema ${d.text}, metadata ${d.text},
      content ${d.text}, row_hash ${d.text},
      primary key (tenant, pad_key, cell_id, number)
    ) ${d.clustered}`,
    'create index notebook_cell_changes_by_pad on notebook_cell_changes (tenant, pad_key, number, cell_id)',
    'create index notebook_cell_changes_by_age on notebook_cell_changes (tenant, at) where kept_bytes > 0',
    "create index notebook_cell_changes_deleted on notebook_cell_changes (tenant, at) where action = 'deleted'",
    `alter table notebook_totals add column history_bytes ${d.integer} not null default 0`,
  ],
};
