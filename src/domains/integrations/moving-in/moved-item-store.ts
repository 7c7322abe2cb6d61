import type { Reader, Writer } from '#kernel/storage/port.ts';
import { list, sql, values } from '#kernel/storage/sql.ts';

/** An item of another program that was imported, and the hash of what it said then. */
export interface MovedItem {
  readonly item: string;
  readonly hash: string;
}

export const findMovedItems = (db: Reader, program: string, items: readonly string[]) =>
  db.all(sql<MovedItem>`
    select item, hash from moved_items
    where tenant = ${db.tenant} and program = ${program} and item in ${list(items)}`);

export const saveMovedItems = (db: Writer, program: string, items: readonly MovedItem[]) =>
  db.run(sql`
    insert into moved_items (tenant, program, item, hash, at)
    values ${values(items.map(({ item, hash }) => [db.tenant, program, item, hash, db.now]))}
    on conflict (tenant, program, item) do update set hash = excluded.hash, at = excluded.at`);
