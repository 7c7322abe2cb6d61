import type { Migration } from '#kernel/storage/migration.ts';

/** Columns with content: the most common values of a column with statistics are also in a table of PostgreSQL itself. */
const contentColumns: Readonly<Record<string, readonly string[]>> = {
  changes: ['id', 'hash'],
  idempotency: ['answer'],
  recall_receipts: ['document'],
  search_chunks: ['bytes'],
  search_rows: ['entries'],
  trash: ['document'],
  truth_contradictions: ['reason'],
  truth_corrections: ['reason'],
  truth_entities: ['canonical_name', 'state'],
  truth_entity_queue: ['ids'],
  truth_entity_texts: ['text'],
  truth_events: ['value'],
  truth_files: ['file_name'],
  truth_identifiers: ['identifier', 'field'],
  truth_match_keys: ['match_key'],
  truth_observations: ['fields', 'raw_fragments', 'details'],
  truth_payloads: ['body', 'source_refs', 'file_urls'],
  truth_records: ['properties', 'file_urls'],
  truth_relationship_statements: ['metadata', 'reason'],
  truth_relationships: ['metadata'],
  truth_retractions: ['reason'],
  truth_shared_keys: ['match_key'],
  truth_submissions: ['body', 'source_refs'],
};

/** Tombstones and certificates of what was forgotten. Neither has content: ids and names are stored as HMACs. */
export const forgetting: Migration = {
  id: 33,
  name: 'forgetting',
  tenantTables: ['truth_tombstones', 'truth_forgettings'],
  // Their HMACs have a meaning only with the keys of this deployment.
  privateTables: ['truth_tombstones', 'truth_forgettings'],
  up: (d) => [
    // When the tenant last forgot something; 0: never. Writers read this row anyway.
    `alter table audit_heads add column forgotten_at ${d.integer} not null default 0`,
    `create table truth_tombstones (
      tenant ${d.text} not null, mac ${d.text} not null, forgotten_at ${d.integer} not null,
      certificate_id ${d.text} not null,
      primary key (tenant, mac)
    ) ${d.clustered}`,
    // work: what is left to do, such as files whose bytes are to be removed. Null when it is done.
    `create table truth_forgettings (
      tenant ${d.text} not null, certificate_id ${d.text} not null, forgotten_at ${d.integer} not null,
      completed_at ${d.integer}, document ${d.text} not null, work ${d.text},
      primary key (tenant, certificate_id)
    ) ${d.clustered}`,
    `create index truth_forgettings_pending on truth_forgettings (tenant, forgotten_at) where completed_at is null`,
    // A store that was written before deleted content was overwritten has to be rewritten once.
    `create table store_chores (name ${d.text} not null primary key) ${d.table}`,
    `insert into store_chores (name) select 'rewrite' where exists (select 1 from tenants)`,
    ...Object.entries(contentColumns).flatMap(([table, columns]) => d.withoutStatistics(table, columns)),
  ],
};
