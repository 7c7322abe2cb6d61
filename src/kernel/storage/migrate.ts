import { faults } from '../fault/kernel-faults.ts';
import { sha256Hex } from '../hash/hash.ts';
import { type Ddl, type Migration, postgresDdl, sqliteDdl } from './migration.ts';

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
