import type { Migration } from '#kernel/storage/migration.ts';
import { addRowHash, type HashedTable } from '#kernel/storage/row-hash.ts';

/** They have a hash already. */
const instructions: HashedTable = { table: 'instructions', hash: 'etag', columns: ['document'], chars: 64 };

/** Columns that change in place (counters, positions, times, current roots) are not part of a hash. */
const hashedTables: readonly HashedTable[] = [
  { table: 'trash', columns: ['topic', 'id', 'document', 'actor', 'at'] },
  {
    table: 'feedback',
    columns: [
      ...['id', 'type', 'severity', 'status', 'title', 'description', 'context', 'tags', 'admin_notes'],
      ...['created_at', 'updated_at'],
    ],
  },
  {
    table: 'notebook_pads',
    columns: [
      ...['scratch_id', 'pad_key', 'namespace_key', 'title', 'description', 'summary', 'tags', 'metadata'],
      'created_at',
    ],
  },
  {
    table: 'notebook_cells',
    columns: ['cell_id', 'language', 'validate', 'tags', 'json_schema', 'metadata', 'content'],
  },
  { table: 'notebook_schemas', columns: ['schema_id', 'name', 'description', 'schema'] },
  { table: 'notebook_namespaces', columns: ['namespace_key', 'namespace'] },
  { table: 'truth_capabilities', columns: ['capability_id', 'definition', 'created_at'] },
  { table: 'truth_schemas', columns: ['entity_type', 'version', 'definition', 'created_at'] },
  {
    table: 'truth_payloads',
    columns: [
      ...['payload_id', 'content_id', 'submission_id', 'capability_id', 'primary_type', 'entity_id', 'extracted_at'],
      ...['extractor_version', 'agent_id', 'client_request_id', 'created_at', 'source_refs', 'file_urls'],
    ],
  },
  { table: 'truth_payloads', hash: 'body_hash', columns: ['payload_id', 'body'] },
  { table: 'truth_corrections', columns: ['correction_id', 'entity_id', 'reason', 'created_at'] },
  {
    table: 'truth_records',
    columns: ['record_id', 'type', 'created_at', 'updated_at', 'file_urls', 'properties'],
  },
  {
    table: 'truth_records',
    hash: 'embedding_hash',
    columns: ['record_id', 'embedding'],
    blobs: ['embedding'],
  },
  { table: 'truth_files', columns: ['bucket', 'sha256', 'bytes', 'content_type', 'file_name', 'created_at'] },
  {
    table: 'truth_observations',
    columns: [
      ...['entity_id', 'observed_at', 'observation_id', 'entity_type', 'schema_version', 'source_kind', 'source_id'],
      ...['role', 'specificity', 'priority', 'created_at', 'fields', 'raw_fragments'],
    ],
    reals: ['specificity'],
  },
  { table: 'truth_merges', columns: ['source_entity_id', 'merged_at', 'target_entity_id', 'unmerged_at'] },
  { table: 'truth_entities', columns: ['entity_id', 'entity_type', 'canonical_name', 'created_at'] },
  {
    table: 'truth_entities',
    hash: 'state_hash',
    isDerived: true,
    columns: ['entity_id', 'schema_version', 'state'],
  },
  {
    table: 'truth_relationships',
    columns: [
      ...['relationship_id', 'relationship_type', 'source_entity_id', 'target_entity_id', 'created_at', 'metadata'],
    ],
  },
  { table: 'knowledge_libraries', columns: ['library', 'version', 'library_key', 'source_kind', 'source'] },
  { table: 'knowledge_pages', columns: ['path', 'title', 'category', 'url', 'hash'] },
  {
    table: 'knowledge_sections',
    columns: ['path', 'position', 'anchor', 'level', 'title', 'breadcrumb', 'body'],
  },
];

/** Content gets a hash, so that damage is noticed instead of served. */
export const rowHashes: Migration = {
  id: 11,
  name: 'row-hashes',
  tenantTables: [],
  hashedTables: [instructions, ...hashedTables],
  up: (d) => hashedTables.flatMap((table) => addRowHash(d, table)),
};
