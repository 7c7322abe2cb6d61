import type { Reader, Writer } from '#kernel/storage/port.ts';
import { list, sql } from '#kernel/storage/sql.ts';
import type { RememberedKind } from './choose-kind.ts';

export interface RememberedRow {
  readonly item_id: string;
  readonly kind: RememberedKind;
}

export const findRemembered = (db: Reader, textHash: string) =>
  db.get(sql<RememberedRow>`
    select item_id, kind from remembered_items where tenant = ${db.tenant} and text_hash = ${textHash}`);

/** Returns 0 if the row names another item than `former`, the one that was found to be gone. */
export const saveRemembered = (db: Writer, textHash: string, { item_id, kind }: RememberedRow, former?: string) =>
  db.run(sql`
    insert into remembered_items (tenant, text_hash, item_id, kind, at)
    values (${db.tenant}, ${textHash}, ${item_id}, ${kind}, ${db.now})
    on conflict (tenant, text_hash) do update set item_id = excluded.item_id, kind = excluded.kind, at = excluded.at
      where remembered_items.item_id = ${former ?? ''}`);

/** The same text can then be remembered again. */
export const deleteRemembered = (db: Writer, itemId: string) =>
  db.run(sql`delete from remembered_items where tenant = ${db.tenant} and item_id = ${itemId}`);

export const deleteRememberedItems = (db: Writer, itemIds: readonly string[]) =>
  db.run(sql`delete from remembered_items where tenant = ${db.tenant} and item_id in ${list(itemIds)}`);
