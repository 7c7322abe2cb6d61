import type { Migration } from '#kernel/storage/migration.ts';

/**
 * Lists show roots only. With these indexes a place far down a list is found without reading the rows before it, which
 * contain whole states.
 */
export const entityPlaces: Migration = {
  id: 35,
  name: 'entity-places',
  tenantTables: [],
  up: () => [
    'drop index truth_entities_by_type',
    'drop index truth_entities_by_age',
    `create index truth_entities_by_type on truth_entities (tenant, entity_type, created_at desc, entity_id)
      where merged_into = ''`,
    `create index truth_entities_by_age on truth_entities (tenant, created_at desc, entity_id) where merged_into = ''`,
  ],
};
