import type { Migration } from '#kernel/storage/migration.ts';

/** Texts that `remember` has stored, so that the same text is not stored twice. */
export const rememberedItems: Migration = {
  id: 27,
  name: 'remembered-items',
  tenantTables: ['remembered_items'],
  privateTables: ['remembered_items'],
  up: (d) => [
    `create table remembered_items (
      tenant ${d.text} not null, text_hash ${d.text} not null, item_id ${d.text} not null, kind ${d.text} not null,
      at ${d.integer} not null,
      primary key (tenant, text_hash)
    ) ${d.clustered}`,
    `create index remembered_items_by_id on remembered_items (tenant, item_id)`,
  ],
};
