import type { Migration } from '#kernel/storage/migration.ts';

/** The search index: rows that are not merged yet, and segments, which are stored in chunks. */
export const searchTables: Migration = {
  id: 2,
  name: 'search',
  tenantTables: ['search_heads', 'search_rows', 'search_segments', 'search_chunks'],
  derivedTables: ['search_heads', 'search_rows', 'search_segments', 'search_chunks'],
  up: (d) => [
    `create table search_heads (
      tenant ${d.text} not null, collection ${d.text} not null, seq ${d.integer} not null, merged ${d.integer} not null,
      generation ${d.integer} not null,
      primary key (tenant, collection)
    ) ${d.table}`,
    `create table search_rows (
      tenant ${d.text} not null, collection ${d.text} not null, seq ${d.integer} not null, entries ${d.text} not null,
      primary key (tenant, collection, seq)
    ) ${d.table}`,
    `create table search_segments (
      tenant ${d.text} not null, collection ${d.text} not null, id ${d.text} not null, state ${d.text} not null,
      docs ${d.integer} not null, bytes ${d.integer} not null, chunks ${d.integer} not null, dead ${d.blob},
      at ${d.integer} not null,
      primary key (tenant, collection, id)
    ) ${d.table}`,
    `create table search_chunks (
      tenant ${d.text} not null, segment ${d.text} not null, chunk ${d.integer} not null, hash ${d.text} not null,
      bytes ${d.blob} not null,
      primary key (tenant, segment, chunk)
    ) ${d.table}`,
  ],
};
