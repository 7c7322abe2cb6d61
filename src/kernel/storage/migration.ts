import { faults } from '../fault/kernel-faults.ts';
import { sha256Hex } from '../hash/hash.ts';
import type { HashedTable } from './row-hash.ts';

/** The few words that differ between the engines' table definitions. */
export interface Ddl {
  readonly text: string;
  readonly integer: string;
  readonly real: string;
  readonly blob: string;
  /** Follows the closing bracket of a table definition. */
  readonly table: string;
  /** The same, for a table whose rows are stored in primary key order, on engines that can do that. */
  readonly clustered: string;
  /** SHA-256 of a text as hex digits. */
  sha256Of(text: string): string;
  hexOf(blob: string): string;
  /** The time of the migration in milliseconds. */
  readonly now: string;
  /** Statements after which the engine no longer keeps samples of these columns. */
  withoutStatistics(table: string, columns: readonly string[]): readonly string[];
}

/** Forward only. The checksum covers the statements for both engines, so a released migration is never edited. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  /** Tables with a `tenant` column: PostgreSQL puts them under row-level security. */
  readonly tenantTables: readonly string[];
  /** Tenant tables that can be computed from the others: left out of an export. */
  readonly derivedTables?: readonly string[];
  /**
   * Tenant tables with a meaning in this deployment only (audit chains, secrets, stored answers): left out of an
   * export.
   */
  readonly privateTables?: readonly string[];
  /** Tables that get a hash, or hash more columns, with this migration. */
  readonly hashedTables?: readonly HashedTable[];
  up(ddl: Ddl): readonly string[];
}

export const sqliteDdl: Ddl = {
  text: 'text',
  integer: 'integer',
  real: 'real',
  blob: 'blob',
  table: 'strict',
  clustered: 'strict, without rowid',
  sha256Of: (text) => `sha256_hex(${text})`,
  now: `cast(unixepoch('subsec') * 1000 as integer)`,
  hexOf: (blob) => `case when ${blob} is not null then lower(hex(${blob})) end`,
  // It never had any: the program does not run `analyze`.
  withoutStatistics: () => [],
};
export const postgresDdl: Ddl = {
  text: 'text collate "C"',
  integer: 'bigint',
  real: 'double precision',
  blob: 'bytea',
  table: '',
  clustered: '',
  sha256Of: (text) => `encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`,
  now: 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)',
  hexOf: (blob) => `encode(${blob}, 'hex')`,
  withoutStatistics: (table, columns) => [
    `alter table ${table} ${columns.map((column) => `alter column ${column} set statistics 0`).join(', ')}`,
  ],
};

/** What a migration is doing. Both engines report a step again while it runs, if it takes long. */
export type MigrationEvent =
  | {
      readonly kind: 'step';
      readonly migration: string;
      readonly step: number;
      readonly steps: number;
      /** Rows of this step that are done; only SQLite knows. */
      readonly rows?: number | undefined;
    }
  /** Another process migrates the store. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'done' };

export type MigrationProgress = (event: MigrationEvent) => void;

export interface AppliedRow {
  readonly id: number;
  readonly checksum: string;
}

export interface PlannedMigration {
  readonly migration: Migration;
  readonly checksum: string;
  readonly statements: readonly string[];
}

/** Over both engines, so that an edit for one is noticed on the other too. */
export const checksumOf = (migration: Migration): string =>
  sha256Hex([...migration.up(sqliteDdl), ...migration.up(postgresDdl), ...migration.tenantTables].join(';\n'));

export const schemaVersion = (migrations: readonly Migration[]): number => migrations.at(-1)?.id ?? 0;

/** The migrations still to be applied. Rejects a store that is newer, or whose history differs from ours. */
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
      throw faults.STORE_UNAVAILABLE({ why: `migration ${id} of the store differs from that of this program` });
    }
  }
  const done = new Set(applied.map((row) => row.id));
  return migrations
    .filter((migration) => !done.has(migration.id))
    .map((migration) => ({ migration, checksum: checksumOf(migration), statements: migration.up(ddl) }));
}
