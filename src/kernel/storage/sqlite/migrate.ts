import { faults } from '../../fault/kernel-faults.ts';
import { sha256Hex } from '../../hash/hash.ts';
import {
  type AppliedRow,
  type Migration,
  type MigrationProgress,
  type PlannedMigration,
  planMigrations,
  schemaVersion,
  sqliteDdl,
} from '../migration.ts';
import { columnSeparator } from '../row-hash.ts';
import { type Connection, pageCacheKb } from './connection.ts';
import { isBusy } from './errors.ts';
import { assumeStatistics, hasStatistics } from './statistics.ts';

const migrationCacheKb = 131_072;

function readApplied({ db }: Connection): readonly AppliedRow[] {
  const isThere = db.prepare("select 1 from sqlite_master where type = 'table' and name = 'migrations'").get();
  return isThere === undefined
    ? []
    : (db.prepare('select id, checksum from migrations order by id').all() as AppliedRow[]);
}

export interface MigrateOptions {
  readonly now: number;
  /** How long to wait for another process that migrates the file; this blocks the thread. */
  readonly waitMs: number;
  readonly progress?: MigrationProgress | undefined;
}

/** The cause of the fault if another process holds the lock while migrations are due: it is worth waiting for. */
export class MigratedElsewhere extends Error {}

function beginMigration({ db }: Connection, report: MigrationProgress): void {
  try {
    db.exec('begin immediate');
  } catch (error) {
    if (!isBusy(error)) throw error;
    report({ kind: 'waiting' });
    const cause = new MigratedElsewhere('the lock is held', { cause: error });
    throw faults.STORE_UNAVAILABLE({ why: 'another process is migrating it to this version' }, {}, { cause });
  }
}

/** Whether anything was ever written: the migrations of an empty store are not worth a report. */
function hasRows({ db }: Connection): boolean {
  const isThere = db.prepare("select 1 from sqlite_master where type = 'table' and name = 'tenants'").get();
  return isThere !== undefined && db.prepare('select 1 from tenants').get() !== undefined;
}

/** For a store of an earlier version. Plans are only slower without them, so this does not wait for another process. */
function addStatistics({ db }: Connection): void {
  try {
    db.transaction(() => assumeStatistics(db)).immediate();
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

/** Every row hash has several columns, so this separates rows from other texts that are hashed. */
const isRowText = (text: string): boolean => text.includes(columnSeparator);
/** A statement may also check the hash that a row has. */
const hashesPerRow = (statement: string): number => Math.max(1, statement.split('sha256_hex(coalesce(').length - 1);
const reportedHashesCount = 10_000;

/**
 * Migrates the file to the current schema under the write lock: a new store in one transaction, because every commit
 * waits for the disk, any other with a transaction per migration, so that after a kill the next start continues after
 * the last completed one. Returns the names of the migrations applied now.
 */
export function migrateSqlite(
  connection: Connection,
  migrations: readonly Migration[],
  options: MigrateOptions,
): readonly string[] {
  const { db } = connection;
  const newest = schemaVersion(migrations);
  const found = connection.schemaVersion();
  if (found > newest) throw faults.STORE_NEWER({ found, known: newest });
  if (planMigrations(migrations, readApplied(connection), sqliteDdl).length === 0) {
    if (!hasStatistics(db)) addStatistics(connection);
    return [];
  }
  const { now, waitMs } = options;
  const isNew = readApplied(connection).length === 0;
  const report = (hasRows(connection) ? options.progress : undefined) ?? (() => {});
  const done: string[] = [];
  let hashes = 0;
  let reportRows = (): void => {};
  db.function('sha256_hex', { deterministic: true }, (given) => {
    const text = String(given);
    if (isRowText(text)) {
      hashes += 1;
      if (hashes % reportedHashesCount === 0) reportRows();
    }
    return sha256Hex(text);
  });

  function apply({ migration, statements, checksum }: PlannedMigration): void {
    for (const [i, statement] of statements.entries()) {
      const step = { kind: 'step', migration: migration.name, step: i + 1, steps: statements.length } as const;
      report(step);
      hashes = 0;
      const perRow = hashesPerRow(statement);
      reportRows = () => report({ ...step, rows: Math.floor(hashes / perRow) });
      db.exec(statement);
    }
    const insert = db.prepare('insert into migrations (id, name, checksum, at) values (?, ?, ?, ?)');
    insert.run(migration.id, migration.name, checksum, now);
    db.pragma(`user_version = ${migration.id}`);
  }

  db.pragma(`busy_timeout = ${waitMs}`);
  // With a small cache, most changed pages are written to the log more than once.
  db.pragma(`cache_size = ${-migrationCacheKb}`);
  try {
    for (;;) {
      beginMigration(connection, report);
      try {
        db.exec(
          'create table if not exists migrations (id integer primary key, name text not null, checksum text not null, at integer not null) strict',
        );
        const due = planMigrations(migrations, readApplied(connection), sqliteDdl);
        const next = isNew ? due : due.slice(0, 1);
        for (const planned of next) apply(planned);
        if (next.length === due.length) assumeStatistics(db);
        db.exec('commit');
        done.push(...next.map(({ migration }) => migration.name));
        if (next.length === due.length) return done;
      } catch (error) {
        if (db.inTransaction) db.exec('rollback');
        throw error;
      }
    }
  } finally {
    db.pragma('busy_timeout = 0');
    db.pragma(`cache_size = ${-pageCacheKb}`);
    if (done.length > 0) report({ kind: 'done' });
  }
}
