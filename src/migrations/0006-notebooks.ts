import type { Migration } from '#kernel/storage/migration.ts';

/**
 * Pads and their contents. All contents refer to `pad_key`, which is new with every creation. So a reset, a delete or
 * an eviction moves one row, however much the pad holds, and a restore moves it back.
 */
export const notebookTables: Migration = {
  id: 6,
  name: 'notebooks',
  // Pads after their contents: rows are imported in this order, so a pad that exists is complete.
  tenantTables: [
    'notebook_namespaces',
    'notebook_cells',
    'notebook_schemas',
    'notebook_pads',
    'notebook_tags',
    'notebook_tag_totals',
    'notebook_totals',
    'notebook_removals',
  ],
  derivedTables: ['notebook_tags', 'notebook_tag_totals', 'notebook_totals'],
  // When the sweep of this store may delete the contents of a removed pad. The pad itself is in the trash.
  privateTables: ['notebook_removals'],
  // Clustered throughout: rows that are read together are stored together, and each key is stored once.
  up: (d) => [
    // Lists are JSON texts as in the answers; filters read notebook_tags. Namespace '' means none.
    `create table notebook_pads (
      tenant ${d.text} not null, scratch_id ${d.text} not null, pad_key ${d.text} not null,
      namespace_key ${d.text} not null, title ${d.text}, description ${d.text}, summary ${d.text},
      tags ${d.text} not null, cell_tags ${d.text} not null, metadata ${d.text} not null,
      cell_count ${d.integer} not null, revision ${d.integer} not null,
      created_at ${d.integer} not null, updated_at ${d.integer} not null, last_access_at ${d.integer} not null,
      primary key (tenant, scratch_id)
    ) ${d.clustered}`,
    'create index notebook_pads_by_namespace on notebook_pads (tenant, namespace_key, scratch_id)',
    'create index notebook_pads_by_access on notebook_pads (tenant, last_access_at, scratch_id)',
    // The content is the last column, so that light reads stop before it.
    `create table notebook_cells (
      tenant ${d.text} not null, pad_key ${d.text} not null, cell_id ${d.text} not null, position ${d.integer} not null,
      language ${d.text} not null, validate ${d.integer} not null, tags ${d.text} not null, revision ${d.integer} not null,
      created_at ${d.integer} not null, updated_at ${d.integer} not null, content_bytes ${d.integer} not null,
      json_schema ${d.text}, metadata ${d.text} not null, content ${d.text} not null,
      primary key (tenant, pad_key, cell_id)
    ) ${d.clustered}`,
    `create table notebook_schemas (
      tenant ${d.text} not null, pad_key ${d.text} not null, schema_id ${d.text} not null, name ${d.text},
      description ${d.text}, schema ${d.text} not null, created_at ${d.integer} not null, updated_at ${d.integer} not null,
      primary key (tenant, pad_key, schema_id)
    ) ${d.clustered}`,
    // Pads refer to the key, so renaming a namespace changes one row.
    `create table notebook_namespaces (
      tenant ${d.text} not null, namespace_key ${d.text} not null, namespace ${d.text} not null,
      pads_count ${d.integer} not null, created_at ${d.integer} not null,
      primary key (tenant, namespace_key)
    ) ${d.clustered}`,
    'create unique index notebook_namespaces_by_name on notebook_namespaces (tenant, namespace)',
    // kind: `pad` for tags of the pad itself, `cell` for tags of its cells. The namespace is that of the pad, which
    // never changes.
    `create table notebook_tags (
      tenant ${d.text} not null, tag ${d.text} not null, kind ${d.text} not null, scratch_id ${d.text} not null,
      namespace_key ${d.text} not null,
      primary key (tenant, tag, kind, scratch_id)
    ) ${d.clustered}`,
    'create index notebook_tags_by_namespace on notebook_tags (tenant, namespace_key, tag, kind, scratch_id)',
    `create table notebook_tag_totals (
      tenant ${d.text} not null, namespace_key ${d.text} not null, kind ${d.text} not null, tag ${d.text} not null,
      pads_count ${d.integer} not null,
      primary key (tenant, namespace_key, kind, tag)
    ) ${d.clustered}`,
    `create table notebook_totals (
      tenant ${d.text} not null primary key, pads_count ${d.integer} not null, cells_count ${d.integer} not null
    ) ${d.clustered}`,
    // The contents of a removed pad are deleted when it can no longer be restored.
    `create table notebook_removals (
      tenant ${d.text} not null, pad_key ${d.text} not null, removed_at ${d.integer} not null,
      primary key (tenant, pad_key)
    ) ${d.clustered}`,
    'create index notebook_removals_by_age on notebook_removals (tenant, removed_at)',
  ],
};
