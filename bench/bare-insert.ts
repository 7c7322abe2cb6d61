import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type Spread, spreadOf } from './timing.ts';

const insertsCount = 500;

/** One row of this text, committed and flushed by the driver alone: the lower limit of every durable write. */
export function bareInsert(textOf: (n: number) => string): Spread {
  const folder = mkdtempSync(join(tmpdir(), 'fourfold-bare-'));
  const db = new Database(join(folder, 'bare.db'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec('create table rows (id integer primary key, content text) strict');
  const insert = db.prepare('insert into rows (content) values (?)');
  const found: number[] = [];
  for (let n = 0; n < insertsCount; n += 1) {
    const startedAt = performance.now();
    insert.run(textOf(n));
    found.push(performance.now() - startedAt);
  }
  db.close();
  rmSync(folder, { recursive: true, force: true });
  return spreadOf(found);
}
