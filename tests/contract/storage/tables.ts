import type { Migration } from '#kernel/storage/migration.ts';
import type { Reader, Writer } from '#kernel/storage/port.ts';
import { sql } from '#kernel/storage/sql.ts';
import { migrations } from '#migrations/all.ts';

/** Two tables that represent those of any domain. */
const contractTables: Migration = {
  id: 9000,
  name: 'contract',
  tenantTables: ['counters', 'items'],
  up: (d) => [
    `create table counters (
      tenant ${d.text} not null, id ${d.text} not null, n ${d.integer} not null, primary key (tenant, id)
    ) ${d.table}`,
    `create table items (
      tenant ${d.text} not null, id ${d.text} not null, document ${d.text}, n ${d.integer}, score ${d.real}, bytes ${d.blob},
      primary key (tenant, id)
    ) ${d.table}`,
  ],
};

export const contractMigrations: readonly Migration[] = [...migrations, contractTables];

export interface Item {
  readonly id: string;
  readonly document: string | null;
  readonly n: number | null;
  readonly score: number | null;
  readonly bytes: Uint8Array | null;
}

export const putItem = (db: Writer, item: Partial<Item> & { readonly id: string }) =>
  db.run(sql`
    insert into items (tenant, id, document, n, score, bytes)
    values (${db.tenant}, ${item.id}, ${item.document ?? null}, ${item.n ?? null}, ${item.score ?? null}, ${item.bytes ?? null})`);

export const findItem = (db: Reader, id: string) =>
  db.get(sql<Item>`select id, document, n, score, bytes from items where tenant = ${db.tenant} and id = ${id}`);

export const listIds = (db: Reader) =>
  db.all(sql<{ readonly id: string }>`select id from items where tenant = ${db.tenant} order by id`);

/** Increments in one statement and returns the new number. */
export const increment = (db: Writer, id: string) =>
  db.get(sql<{ readonly n: number }>`
    insert into counters (tenant, id, n) values (${db.tenant}, ${id}, 1)
    on conflict (tenant, id) do update set n = counters.n + 1
    returning n`);

export const findCounter = (db: Reader, id: string) =>
  db.get(sql<{ readonly n: number }>`select n from counters where tenant = ${db.tenant} and id = ${id}`);
