import type { Capabilities, CatalogRow } from './capabilities.ts';
import type { Migration } from './migration.ts';
import type { Reader, Work } from './port.ts';
import type { HashedTable } from './row-hash.ts';

export type ColumnType = 'text' | 'integer' | 'real' | 'blob';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly isNullable: boolean;
  readonly hasDefault: boolean;
}

/** Without the tenant column, whose value is the caller's. */
export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly key: readonly Column[];
  readonly hashes: readonly HashedTable[];
}

const typeNames: Readonly<Record<string, ColumnType>> = {
  text: 'text',
  integer: 'integer',
  bigint: 'integer',
  real: 'real',
  'double precision': 'real',
  blob: 'blob',
  bytea: 'blob',
};

/** Tables with tenant data that has a meaning in any store, in order of creation. */
export function transferredTables(migrations: readonly Migration[]): readonly string[] {
  const left = new Set(
    migrations.flatMap(({ derivedTables = [], privateTables = [] }) => [...derivedTables, ...privateTables]),
  );
  return migrations.flatMap(({ tenantTables }) => tenantTables).filter((table) => !left.has(table));
}

function toColumn({ table_name, name, type, not_null, has_default, key_place }: CatalogRow): Column {
  const known = typeNames[type];
  if (known === undefined)
    throw new Error(`bug: ${table_name}.${name} has the type ${type}, which an export does not support`);
  return { name, type: known, isNullable: not_null === 0 && key_place === 0, hasDefault: has_default === 1 };
}

function toTable(name: string, rows: readonly CatalogRow[], hashed: readonly HashedTable[]): Table {
  const own = rows.filter((row) => row.table_name === name && row.name !== 'tenant');
  const key = own.filter((row) => row.key_place > 0).sort((a, b) => a.key_place - b.key_place);
  const hasKey = rows.some((row) => row.table_name === name && row.key_place > 0);
  if (!hasKey) throw new Error(`bug: the table ${name} is missing or has no primary key`);
  const hashes = hashed.filter(({ table }) => table === name);
  return { name, columns: own.map(toColumn), key: key.map(toColumn), hashes };
}

/** Reads the real structure of the tables from the engine's catalog. */
export function* describeTables(
  db: Reader,
  { catalogQuery }: Capabilities,
  names: readonly string[],
  hashed: readonly HashedTable[],
): Work<readonly Table[]> {
  const rows = yield* db.all(catalogQuery(names));
  return names.map((name) => toTable(name, rows, hashed));
}
