import type { Migration } from '#kernel/storage/migration.ts';

/**
 * Pads and what is in them. Everything inside a pad hangs on `pad_key`, which is new with every creation: a reset, a
 * delete or an eviction moves one row, however much the pad holds, and a restore moves it back.
 */
export const notebookTables: Migration = {
  id: 6,
  name: 'notebooks',
  // Pads after what is in them: rows come in in this order, and a pad that is there is whole.
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
  // Says when a sweep of this store may go through the contents of a removed pad; the pad itself is in the trash.
  privateTables: ['notebook_removals'],
  // Clustered throughout: what is read together lies together, and a key is kept once.
  up: (d) => [
    // The lists are JSON texts as they are answered; notebook_tags is what filters read. Namespace '' is none.
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
    // The content stands last, so that light reads stop before it.
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
    // A pad points to the key: renaming a namespace changes one row.
    `create table notebook_namespaces (
      tenant ${d.text} not null, namespace_key ${d.text} not null, namespace ${d.text} not null,
      pads_count ${d.integer} not null, created_at ${d.integer} not null,
      primary key (tenant, namespace_key)
    ) ${d.clustered}`,
    'create unique index notebook_namespaces_by_name on notebook_namespaces (tenant, namespace)',
    // kind: `pad` for tags of the pad itself, `cell` for those of its cells. The namespace is the pad's, which it keeps.
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
    // What is in a removed pad goes when it can no longer come back.
    `create table notebook_removals (
      tenant ${d.text} not null, pad_key ${d.text} not null, removed_at ${d.integer} not null,
      primary key (tenant, pad_key)
    ) ${d.clustered}`,
    'create index notebook_removals_by_age on notebook_removals (tenant, removed_at)',
  ],
};
