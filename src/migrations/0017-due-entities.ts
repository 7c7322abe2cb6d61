import type { Migration } from '#kernel/storage/migration.ts';

/** After migration 13 the states of all entities are due with the same time, so that they need an order among them. */
export const dueEntitiesIndex: Migration = {
  id: 17,
  name: 'due-entities',
  tenantTables: [],
  up: () => [
    'drop index truth_entities_due',
    `create index truth_entities_due on truth_entities (tenant, next_change_at, entity_id)
      where next_change_at is not null`,
  ],
};
