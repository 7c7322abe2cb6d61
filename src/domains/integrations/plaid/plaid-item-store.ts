import type { Reader, Writer } from '#kernel/storage/port.ts';
import { allOf, list, type Sql, sql, values } from '#kernel/storage/sql.ts';
import type { ItemStatus } from './plaid-problem.ts';

export interface PlaidItemRow {
  readonly id: string;
  readonly item_id: string;
  /** Sealed. */
  readonly access_token: string;
  readonly institution_id: string | null;
  readonly institution_name: string | null;
  /** A JSON list of texts. */
  readonly products: string;
  /** JSON; null until Plaid has been asked. */
  readonly accounts: string | null;
  readonly status: ItemStatus;
  /** After the last complete sync. */
  readonly cursor: string | null;
  /** After the last page of an unfinished sync. */
  readonly page_cursor: string | null;
  readonly synced_at: number | null;
  readonly created_at: number;
}

export interface ItemFilter {
  readonly plaid_item_id?: string | undefined;
  readonly item_id?: string | undefined;
}

const columns = sql`id, item_id, access_token, institution_id, institution_name, products, accounts, status, cursor,
  page_cursor, synced_at, created_at`;

function toConditions({ plaid_item_id, item_id }: ItemFilter): Sql {
  return allOf([
    ...(plaid_item_id === undefined ? [] : [sql`id = ${plaid_item_id}`]),
    ...(item_id === undefined ? [] : [sql`item_id = ${item_id}`]),
  ]);
}

/** Oldest first. */
export const findItems = (db: Reader, filter: ItemFilter, limit: number) =>
  db.all(sql<PlaidItemRow>`
    select ${columns} from plaid_items where tenant = ${db.tenant} and ${toConditions(filter)}
    order by created_at, id limit ${limit}`);

export const findByPublicToken = (db: Reader, hash: string) =>
  db.get(sql<PlaidItemRow>`
    select ${columns} from plaid_items where tenant = ${db.tenant} and public_token_hash = ${hash}
    order by id limit 1`);

export const countItems = (db: Reader) =>
  db.get(sql<{ readonly count: number | string }>`
    select count(*) as count from plaid_items where tenant = ${db.tenant}`);

export interface NewItem {
  readonly id: string;
  readonly itemId: string;
  readonly publicTokenHash: string;
  readonly sealedToken: string;
}

/** A bank that is connected again keeps its id and its cursor. */
export const saveItem = (db: Writer, { id, itemId, publicTokenHash, sealedToken }: NewItem) =>
  db.run(sql`
    insert into plaid_items (tenant, id, item_id, public_token_hash, access_token, products, status, created_at)
    values (${db.tenant}, ${id}, ${itemId}, ${publicTokenHash}, ${sealedToken}, ${'[]'}, ${'active'}, ${db.now})
    on conflict (tenant, item_id) do update set public_token_hash = excluded.public_token_hash,
      access_token = excluded.access_token, status = excluded.status`);

export type ItemDetails = Pick<PlaidItemRow, 'institution_id' | 'institution_name' | 'products'> & {
  readonly accounts: string;
};

export const saveDetails = (db: Writer, id: string, details: ItemDetails) =>
  db.run(sql`
    update plaid_items set institution_id = ${details.institution_id}, institution_name = ${details.institution_name},
      products = ${details.products}, accounts = ${details.accounts}
    where tenant = ${db.tenant} and id = ${id}`);

export const saveStatus = (db: Writer, id: string, status: ItemStatus) =>
  db.run(sql`update plaid_items set status = ${status} where tenant = ${db.tenant} and id = ${id}`);

/** `cursor` null: the next sync starts with the first transaction. */
export const savePageCursor = (db: Writer, id: string, cursor: string | null, pageCursor: string | null) =>
  db.run(sql`
    update plaid_items set cursor = ${cursor}, page_cursor = ${pageCursor}
    where tenant = ${db.tenant} and id = ${id}`);

/** An empty cursor means that Plaid has no transactions yet. */
export const finishSync = (db: Writer, id: string, cursor: string | null) =>
  db.run(sql`
    update plaid_items set cursor = ${cursor}, page_cursor = null, status = ${'active'}, synced_at = ${db.now}
    where tenant = ${db.tenant} and id = ${id}`);

/** The last version of a transaction that was submitted. */
export interface KnownTransaction {
  readonly transaction_id: string;
  readonly hash: string;
  readonly observed_at: number;
}

export const findTransactions = (db: Reader, plaidItem: string, ids: readonly string[]) =>
  db.all(sql<KnownTransaction>`
    select transaction_id, hash, observed_at from plaid_transactions
    where tenant = ${db.tenant} and plaid_item = ${plaidItem} and transaction_id in ${list(ids)}`);

export const saveTransactions = (db: Writer, plaidItem: string, known: readonly KnownTransaction[]) =>
  db.run(sql`
    insert into plaid_transactions (tenant, plaid_item, transaction_id, hash, observed_at)
    values ${values(known.map((one) => [db.tenant, plaidItem, one.transaction_id, one.hash, one.observed_at]))}
    on conflict (tenant, plaid_item, transaction_id) do update set hash = excluded.hash,
      observed_at = excluded.observed_at`);
