import type { Migration } from '#kernel/storage/migration.ts';

/** When a key was last used, to the minute, so that an operator can find unused keys. */
export const keyUseColumn: Migration = {
  id: 12,
  name: 'key-use',
  tenantTables: [],
  up: (d) => [`alter table api_keys add column last_used_at ${d.integer}`],
};
