import type { Migration } from '#kernel/storage/migration.ts';

/** What `recall` has answered, and an index that finds the changes of one item. */
export const recallReceipts: Migration = {
  id: 31,
  name: 'recall-receipts',
  tenantTables: ['recall_receipts'],
  // They refer to rows of this store's change log.
  privateTables: ['recall_receipts'],
  up: (d) => [
    'create index changes_by_item on changes (tenant, topic, id, seq)',
    `create table recall_receipts (
      tenant ${d.text} not null, receipt_id ${d.text} not null, at ${d.integer} not null, actor ${d.text} not null,
      document ${d.text} not null,
      primary key (tenant, receipt_id)
    ) ${d.table}`,
    'create index recall_receipts_by_age on recall_receipts (tenant, at, receipt_id)',
  ],
};
