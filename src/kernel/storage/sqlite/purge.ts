import type { Connection } from './connection.ts';

const isRewriteDue = ({ db }: Connection): boolean =>
  db.prepare("select 1 from store_chores where name = 'rewrite'").get() !== undefined;

/**
 * Every connection overwrites what it deletes, so the file has no deleted content, but the log has. A store from before
 * that is written again once. Returns false while another process reads an older state of the store.
 */
export function purgeSqlite(on: Connection): boolean {
  const { db } = on;
  if (isRewriteDue(on)) {
    db.exec('vacuum');
    db.exec("delete from store_chores where name = 'rewrite'");
  }
  const [row] = db.pragma('wal_checkpoint(truncate)') as readonly { readonly busy: number }[];
  return row?.busy === 0;
}
