import type { Migration } from '#kernel/storage/migration.ts';

/**
 * Connected banks, and the last known version of each of their transactions. The access tokens are encrypted with a key
 * of this deployment, so neither table is part of an export; the transactions themselves are payloads and are.
 */
export const plaidItems: Migration = {
  id: 23,
  name: 'plaid-items',
  tenantTables: ['plaid_items', 'plaid_transactions'],
  privateTables: ['plaid_items', 'plaid_transactions'],
  up: (d) => [
    `create table plaid_items (
      tenant ${d.text} not null, id ${d.text} not null, item_id ${d.text} not null,
      public_token_hash ${d.text} not null, access_token ${d.text} not null, institution_id ${d.text},
      institution_name ${d.text}, products ${d.text} not null, accounts ${d.text}, status ${d.text} not null,
      cursor ${d.text}, page_cursor ${d.text}, synced_at ${d.integer}, created_at ${d.integer} not null,
      primary key (tenant, id)
    ) ${d.table}`,
    `create unique index plaid_items_by_item on plaid_items (tenant, item_id)`,
    `create table plaid_transactions (
      tenant ${d.text} not null, plaid_item ${d.text} not null, transaction_id ${d.text} not null,
      hash ${d.text} not null, observed_at ${d.integer} not null,
      primary key (tenant, plaid_item, transaction_id)
    ) ${d.clustered}`,
  ],
};
