import { faults } from '../fault/kernel-faults.ts';
import { sha256Hex } from '../hash/hash.ts';
import type { Ddl, Migration } from './migration.ts';
import type { Reader, Work } from './port.ts';
import type { Bound, Sql } from './sql.ts';

/**
 * A table whose rows carry a hash of these columns. It reveals damage: flipped bits, or a row that was
 * edited without this program. It does not stop an attacker, who can compute it too; the audit chain is for that.
 *
 * The columns are those that hold content. Counters, positions and times that change in place are left out.
 */
export interface HashedTable {
  readonly table: string;
  /** Default: `row_hash`. A table can have a second hash for a long column, so that the rest is checked without it. */
  readonly hash?: string;
  /** The columns can be computed from other rows: damage is repaired without a backup. */
  readonly isDerived?: true;
  readonly columns: readonly string[];
  readonly blobs?: readonly string[];
  /** Hex digits that are kept; default: 32. */
  readonly chars?: number;
  readonly reals?: readonly string[];
}

export interface Hashed {
  /** Null only if a statement forgot it: such a row counts as damaged. */
  readonly row_hash: string | null;
}

// Control characters that no name and hardly any text contains.
export const columnSeparator = '\u001f';
const none = '\u001e';
/** 128 bits: chance does not produce the same hash for other content. */
const usualChars = 32;
/** The engines print real numbers in different ways. Multiplying by a power of two is exact. */
const realFactor = 2 ** 40;

function textOf(value: Bound | undefined, isReal: boolean): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return none;
  if (typeof value === 'object') return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex');
  return isReal ? String(Math.floor(Number(value) * realFactor)) : String(value);
}

type AnyRow = Readonly<Record<string, Bound | undefined>>;

/** Only rows with every hashed column may be passed. */
export function hashRow({ columns, reals = [], chars = usualChars }: HashedTable, row: AnyRow): string {
  let text = '';
  for (let i = 0; i < columns.length; i += 1) {
    const column = columns[i]!;
    if (i > 0) text += columnSeparator;
    text += textOf(row[column], reals.length > 0 && reals.includes(column));
  }
  return sha256Hex(text).slice(0, chars);
}

/** The same as an SQL expression. `changed` has expressions for columns that get a new value with the hash. */
export function rowHashSql(
  ddl: Ddl,
  { columns, blobs = [], reals = [], chars = usualChars }: HashedTable,
  changed: Readonly<Record<string, string>> = {},
): string {
  const toText = (column: string): string => {
    const value = changed[column] ?? column;
    if (blobs.includes(column)) return ddl.hexOf(value);
    if (reals.includes(column)) return `cast(cast(floor(${value} * ${realFactor}) as bigint) as text)`;
    return `cast(${value} as text)`;
  };
  const text = columns.map((column) => `coalesce(${toText(column)}, '${none}')`).join(` || '${columnSeparator}' || `);
  return `substr(${ddl.sha256Of(text)}, 1, ${chars})`;
}

/** Hashes the rows that a store has. */
const setRowHash = (ddl: Ddl, table: HashedTable): string =>
  `update ${table.table} set ${table.hash ?? 'row_hash'} = ${rowHashSql(ddl, table)}`;

/** For a table that gets its hash now. */
export const addRowHash = (ddl: Ddl, table: HashedTable): readonly string[] => [
  `alter table ${table.table} add column ${table.hash ?? 'row_hash'} ${ddl.text}`,
  setRowHash(ddl, table),
];

/** Whether the row matches one of its hashes. */
export const isRowIntact = (table: HashedTable, row: AnyRow): boolean =>
  row[table.hash ?? 'row_hash'] === hashRow(table, row);

/** A migration that adds content columns defines the hash of its table again. */
export function hashedTablesOf(migrations: readonly Migration[]): readonly HashedTable[] {
  const latest = new Map<string, HashedTable>();
  for (const one of migrations.flatMap(({ hashedTables = [] }) => hashedTables)) {
    latest.set(`${one.table}.${one.hash ?? 'row_hash'}`, one);
  }
  return [...latest.values()];
}

/** The hash of one kind of item: every statement that writes or serves its content goes through this. */
export interface RowHash<Row extends object> {
  of(row: Row): string;
  isIntact(row: Row & Hashed): boolean;
  /** Throws INTEGRITY_ERROR for a damaged row. */
  check(row: Row & Hashed): void;
  /** The row of a query, or the fault. The query selects every hashed column and `row_hash`. */
  get<R extends Row & Hashed>(db: Reader, query: Sql<R>): Work<R | undefined>;
  all<R extends Row & Hashed>(db: Reader, query: Sql<R>): Work<readonly R[]>;
}

/** `name` describes an item for the error message, such as "cell c1". */
export function defineRowHash<Row extends object>(table: HashedTable, name: (row: Row) => string): RowHash<Row> {
  const of = (row: Row): string => hashRow(table, row as AnyRow);
  const isIntact = (row: Row & Hashed): boolean => row.row_hash === of(row);
  function check(row: Row & Hashed): void {
    if (!isIntact(row)) throw damaged(table.table, name(row));
  }
  return {
    of,
    isIntact,
    check,
    *get(db, query) {
      const row = yield* db.get(query);
      if (row !== undefined) check(row);
      return row;
    },
    *all(db, query) {
      const rows = yield* db.all(query);
      for (const row of rows) check(row);
      return rows;
    },
  };
}

export const damaged = (table: string, item: string) =>
  faults.INTEGRITY_ERROR(
    // Not every family shows the fix of a fault, so the message names the command.
    { why: `${item} is damaged in the store; fourfold doctor --deep --repair-from <backup> restores it` },
    { item, table },
  );
