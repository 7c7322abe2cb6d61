import { faults } from '../../fault/kernel-faults.ts';
import { sha256Hex } from '../../hash/hash.ts';
import { type AppliedRow, type Migration, planMigrations, schemaVersion, sqliteDdl } from '../migration.ts';
import type { Connection } from './connection.ts';

function readApplied({ db }: Connection): readonly AppliedRow[] {
  const isThere = db.prepare("select 1 from sqlite_master where type = 'table' and name = 'migrations'").get();
  return isThere === undefined
    ? []
    : (db.prepare('select id, checksum from migrations order by id').all() as AppliedRow[]);
}

/**
 * Migrates the file to the current schema, each migration in one transaction under the write lock. If the process is
 * killed, the next start continues after the last completed migration. Returns the names of the migrations applied now.
 */
export function migrateSqlite(
  connection: Connection,
  migrations: readonly Migration[],
  now: number,
): readonly string[] {
  const { db } = connection;
  const newest = schemaVersion(migrations);
  const done: string[] = [];
  db.function('sha256_hex', { deterministic: true }, (text) => sha256Hex(String(text)));
  // Another process may be migrating the same file, so wait. That happens once per version.
  db.pragma('busy_timeout = 10000');
  try {
    const found = connection.schemaVersion();
    if (found > newest) throw faults.STORE_NEWER({ found, known: newest });
    if (planMigrations(migrations, readApplied(connection), sqliteDdl).length === 0) return [];
    for (;;) {
      db.exec('begin immediate');
      try {
        db.exec(
          'create table if not exists migrations (id integer primary key, name text not null, checksum text not null, at integer not null) strict',
        );
        const [next] = planMigrations(migrations, readApplied(connection), sqliteDdl);
        if (next === undefined) {
          db.exec('commit');
          return done;
        }
        for (const statement of next.statements) db.exec(statement);
        db.prepare('insert into migrations (id, name, checksum, at) values (?, ?, ?, ?)').run(
          next.migration.id,
          next.migration.name,
          next.checksum,
          now,
        );
        db.pragma(`user_version = ${next.migration.id}`);
        db.exec('commit');
        done.push(next.migration.name);
      } catch (error) {
        if (db.inTransaction) db.exec('rollback');
        throw error;
      }
    }
  } finally {
    db.pragma('busy_timeout = 0');
  }
}
