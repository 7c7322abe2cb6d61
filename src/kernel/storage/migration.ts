import { faults } from '../fault/kernel-faults.ts';
import { sha256Hex } from '../hash/hash.ts';

/** The few words in which the dialects' table definitions differ. */
export interface Ddl {
  readonly text: string;
  readonly integer: string;
  readonly real: string;
  readonly blob: string;
  /** Follows the closing bracket of a table. */
  readonly table: string;
  /** The same for one whose rows lie in the order of their primary key, beside their neighbours, where an engine can do that. */
  readonly clustered: string;
}

/** Forward only. Its statements are checksummed for both dialects: a migration that was released is never edited. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  /** Tables with a `tenant` column: PostgreSQL puts them under row-level security. */
  readonly tenantTables: readonly string[];
  /** Those of them that can be computed again from the others: an export leaves them out. */
  readonly derivedTables?: readonly string[];
  /** Those of them that mean something in this deployment only (chains, secrets, answers kept): an export leaves them out. */
  readonly privateTables?: readonly string[];
  up(ddl: Ddl): readonly string[];
}

export const sqliteDdl: Ddl = {
  text: 'text',
  integer: 'integer',
  real: 'real',
  blob: 'blob',
  table: 'strict',
  clustered: 'strict, without rowid',
};
export const postgresDdl: Ddl = {
  text: 'text collate "C"',
  integer: 'bigint',
  real: 'double precision',
  blob: 'bytea',
  table: '',
  clustered: '',
};

export interface AppliedRow {
  readonly id: number;
  readonly checksum: string;
}

export interface PlannedMigration {
  readonly migration: Migration;
  readonly checksum: string;
  readonly statements: readonly string[];
}

/** Over both dialects, so that an edit of either is noticed on either. */
export const checksumOf = (migration: Migration): string =>
  sha256Hex([...migration.up(sqliteDdl), ...migration.up(postgresDdl), ...migration.tenantTables].join(';\n'));

export const schemaVersion = (migrations: readonly Migration[]): number => migrations.at(-1)?.id ?? 0;

/** What is still to be done; refuses a store that is newer, or whose history is not ours. */
export function planMigrations(
  migrations: readonly Migration[],
  applied: readonly AppliedRow[],
  ddl: Ddl,
): readonly PlannedMigration[] {
  const known = new Map(migrations.map((migration) => [migration.id, migration]));
  for (const { id, checksum } of applied) {
    const migration = known.get(id);
    if (migration === undefined) throw faults.STORE_NEWER({ found: id, known: schemaVersion(migrations) });
    if (checksumOf(migration) !== checksum) {
      throw faults.STORE_UNAVAILABLE({ why: `migration ${id} of the store is not the one this program knows` });
    }
  }
  const done = new Set(applied.map((row) => row.id));
  return migrations
    .filter((migration) => !done.has(migration.id))
    .map((migration) => ({ migration, checksum: checksumOf(migration), statements: migration.up(ddl) }));
}
