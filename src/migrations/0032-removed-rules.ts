import type { Migration } from '#kernel/storage/migration.ts';

/** A sync looks for rules that were removed; without an index it would read the whole history. */
export const removedRulesIndex: Migration = {
  id: 32,
  name: 'removed-rules',
  tenantTables: [],
  up: () => [
    `create index instruction_versions_removed on instruction_versions (tenant, id, number) where what = 'delete'`,
  ],
};
