import { faults } from '../fault/kernel-faults.ts';
import { limits } from '../limits.ts';
import type { Reader, Topic, Work, Writer } from './port.ts';
import { defineRowHash, type Hashed } from './row-hash.ts';
import { sql } from './sql.ts';

/** A deleted item that can still be restored. */
export interface TrashItem {
  readonly topic: Topic;
  readonly id: string;
  /** Canonical JSON, as its domain wrote it. */
  readonly document: string;
  readonly actor: string;
  readonly at: number;
}

export const trashHash = defineRowHash<TrashItem>(
  { table: 'trash', columns: ['topic', 'id', 'document', 'actor', 'at'] },
  ({ topic, id }) => `${topic} ${id} in the trash`,
);

/** Stores a copy, in the same transaction as the delete. */
export const putInTrash = (db: Writer, topic: Topic, id: string, document: string, actor: string) =>
  db.run(sql`
    insert into trash (tenant, topic, id, document, actor, at, row_hash)
    values (${db.tenant}, ${topic}, ${id}, ${document}, ${actor}, ${db.now},
      ${trashHash.of({ topic, id, document, actor, at: db.now })})
    on conflict (tenant, topic, id, at) do update set document = excluded.document, actor = excluded.actor,
      row_hash = excluded.row_hash`);

/** The newest copy of an item. It stays in the trash. */
export const newestTrash = (db: Reader, topic: Topic, id: string) =>
  trashHash.get(
    db,
    sql<TrashItem & Hashed>`
    select topic, id, document, actor, at, row_hash from trash
    where tenant = ${db.tenant} and topic = ${topic} and id = ${id} order by at desc limit 1`,
  );

const deleteTrash = (db: Writer, item: TrashItem) =>
  db.run(sql`
    delete from trash where tenant = ${db.tenant} and topic = ${item.topic} and id = ${item.id} and at = ${item.at}`);

const goneFix = `It was restored already, or deleted more than ${limits.trashDays} days ago: read it, or restore a backup with fourfold restore.`;

/** Removes the newest copy from the trash and returns it. The caller writes the item back in the same transaction. */
export function* takeFromTrash(db: Writer, topic: Topic, id: string, fix = goneFix): Work<TrashItem> {
  const item = yield* newestTrash(db, topic, id);
  if (item === undefined || item.at < db.now - limits.trashDays * 86_400_000) {
    throw faults.NOT_FOUND({ what: `${topic} ${id} in the trash` }, { fix });
  }
  yield* deleteTrash(db, item);
  return item;
}

/** Newest first. `before` is the last item of the previous page. */
export const listTrash = (
  db: Reader,
  topic: Topic,
  before: { readonly at: number; readonly id: string },
  limit: number,
) =>
  trashHash.all(
    db,
    sql<TrashItem & Hashed>`
    select topic, id, document, actor, at, row_hash from trash
    where tenant = ${db.tenant} and topic = ${topic} and (at, id) < (${before.at}, ${before.id})
    order by at desc, id desc limit ${limit}`,
  );
