import type { Migration } from '#kernel/storage/migration.ts';

/**
 * Semantic search: vectors, documents whose vectors were removed (for other processes), documents that wait to be
 * embedded, and the progress of each collection.
 */
export const meaningTables: Migration = {
  id: 7,
  name: 'meaning',
  tenantTables: ['meaning_heads', 'meaning_vectors', 'meaning_gone', 'meaning_pending'],
  derivedTables: ['meaning_heads', 'meaning_vectors', 'meaning_gone', 'meaning_pending'],
  up: (d) => [
    `create table meaning_heads (
      tenant ${d.text} not null, collection ${d.text} not null, seq ${d.integer} not null, swept ${d.integer} not null,
      model ${d.text} not null, listed_up_to ${d.text},
      primary key (tenant, collection)
    ) ${d.table}`,
    `create table meaning_vectors (
      tenant ${d.text} not null, collection ${d.text} not null, id ${d.text} not null, seq ${d.integer} not null,
      model ${d.text} not null, text_hash ${d.text} not null, facets ${d.text} not null, dimension ${d.integer} not null,
      parts ${d.integer} not null, bytes ${d.blob} not null,
      primary key (tenant, collection, id)
    ) ${d.table}`,
    'create index meaning_vectors_by_seq on meaning_vectors (tenant, collection, seq, id)',
    `create table meaning_gone (
      tenant ${d.text} not null, collection ${d.text} not null, id ${d.text} not null, seq ${d.integer} not null,
      primary key (tenant, collection, id)
    ) ${d.table}`,
    'create index meaning_gone_by_seq on meaning_gone (tenant, collection, seq, id)',
    `create table meaning_pending (
      tenant ${d.text} not null, collection ${d.text} not null, urgency ${d.integer} not null, ticket ${d.text} not null,
      ids ${d.text} not null, ids_count ${d.integer} not null,
      primary key (tenant, collection, urgency, ticket)
    ) ${d.table}`,
  ],
};
