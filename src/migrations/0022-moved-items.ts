import type { Migration } from '#kernel/storage/migration.ts';

/** What was imported from other programs, so that a repeated import adds only what is new. */
export const movedItems: Migration = {
  id: 22,
  name: 'moved-items',
  tenantTables: ['moved_items'],
  up: (d) => [
    `create table moved_items (
      tenant ${d.text} not null, program ${d.text} not null, item ${d.text} not null, hash ${d.text} not null,
      at ${d.integer} not null,
      primary key (tenant, program, item)
    ) ${d.clustered}`,
  ],
};
