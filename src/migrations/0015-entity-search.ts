import type { Migration } from '#kernel/storage/migration.ts';

/**
 * The search index of entities. Stores that have entities already get their index built in the background: a negative
 * `merged` marks it as outdated.
 */
export const entitySearchTables: Migration = {
  id: 15,
  name: 'entity-search',
  tenantTables: ['truth_entity_texts', 'truth_entity_queue'],
  derivedTables: ['truth_entity_texts', 'truth_entity_queue'],
  up: (d) => [
    // The distinct values of an entity with many observations, so that a write does not have to read them all.
    `create table truth_entity_texts (
      tenant ${d.text} not null, entity_id ${d.text} not null, text ${d.text} not null,
      primary key (tenant, entity_id)
    ) ${d.clustered}`,
    // Entities that a bulk write left to the background.
    `create table truth_entity_queue (
      tenant ${d.text} not null, ticket ${d.text} not null, ids ${d.text} not null, ids_count ${d.integer} not null,
      primary key (tenant, ticket)
    ) ${d.clustered}`,
    `insert into search_heads (tenant, collection, seq, merged, generation)
      select distinct tenant, 'entities', 0, -1, 1 from truth_totals where kind = 'entities'`,
  ],
};
