import type { Reader, Step, Work, Writer } from './port.ts';
import { hashRow } from './row-hash.ts';
import { allOf, type Bound, joined, type Sql, sql, values } from './sql.ts';
import type { Column, Table } from './transfer-tables.ts';

/** Rows move between stores, also of different engines, as plain values. All the SQL for that is here. */
export const transferLimits = {
  pageRowsCount: 500,
  pageBytes: 4 * 1024 * 1024,
  /** Keys per condition: SQLite's expression depth grows with their number. */
  keysCount: 100,
} as const;

export type PageLimits = { readonly [K in 'pageRowsCount' | 'pageBytes']: number };

export type Row = Readonly<Record<string, Bound>>;

const raw = (text: string): Sql => ({ parts: [text], args: [] });

const tuple = (row: readonly Bound[]): Sql => sql`(${joined(row, ', ')})`;

function quoted(name: string): string {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error(`bug: ${name} is not a valid table or column name`);
  return `"${name}"`;
}

const named = (columns: readonly { readonly name: string }[]): Sql =>
  raw(columns.map(({ name }) => quoted(name)).join(', '));
const tenantColumn = { name: 'tenant' } as const;

const valuesOf = (columns: readonly Column[], row: Row): readonly Bound[] =>
  columns.map(({ name }) => row[name] ?? null);

function compareKey({ key }: Table, sign: '>' | '<=', row: Row | undefined): Sql {
  if (row === undefined || key.length === 0) return raw('1 = 1');
  return sql`(${named(key)}) ${raw(sign)} ${tuple(valuesOf(key, row))}`;
}

const fromTable = (db: Reader, table: Table, condition: Sql): Sql =>
  sql`from ${raw(quoted(table.name))} where tenant = ${db.tenant} and ${condition}`;

const byKey = ({ key }: Table): Sql => sql`order by ${named([tenantColumn, ...key])}`;

const sizeOf = ({ columns }: Table): Sql => {
  const long = columns.filter(({ type }) => type === 'text' || type === 'blob');
  return raw(['0', ...long.map(({ name }) => `coalesce(octet_length(${quoted(name)}), 0)`)].join(' + '));
};

type Sized = Row & { readonly page_bytes: number };

/** The last row that fits into the page. The first row always fits. */
function lastOfPage(sizes: readonly Sized[], { pageBytes }: PageLimits): Sized | undefined {
  let bytes = 0;
  const tooMany = sizes.findIndex(({ page_bytes }, i) => {
    bytes += page_bytes;
    return i > 0 && bytes > pageBytes;
  });
  return tooMany === -1 ? sizes.at(-1) : sizes[tooMany - 1];
}

/** The rows after `after` in key order: as many as fit into a page, at least one, none at the end. */
export function* readPage(
  db: Reader,
  table: Table,
  after: Row | undefined,
  limits: PageLimits = transferLimits,
): Work<readonly Row[]> {
  if (table.key.length === 0 && after !== undefined) return [];
  const isAfter = compareKey(table, '>', after);
  // Sizes first: a page full of the largest rows would not fit into memory.
  const sizes = yield* db.all(
    sql<Sized>`
      select ${joined([...(table.key.length === 0 ? [] : [named(table.key)]), sizeOf(table)], ', ')} as page_bytes
      ${fromTable(db, table, isAfter)} ${byKey(table)} limit ${limits.pageRowsCount}`,
  );
  const last = lastOfPage(sizes, limits);
  if (last === undefined) return [];
  const isUpTo = compareKey(table, '<=', last);
  return yield* db.all(
    sql<Row>`select ${named(table.columns)} ${fromTable(db, table, sql`${isAfter} and ${isUpTo}`)} ${byKey(table)}`,
  );
}

const hasKeyOf = ({ key }: Table, row: Row): Sql =>
  allOf(key.map(({ name }) => sql`${raw(quoted(name))} = ${row[name] ?? null}`));

/** The row with the same key. */
export const findRow = (db: Reader, table: Table, row: Row) =>
  db.get(sql<Row>`select ${named(table.columns)} ${fromTable(db, table, hasKeyOf(table, row))}`);

/** Sets these columns of the row with the same key. */
export const updateRow = (db: Writer, table: Table, columns: readonly Column[], row: Row, given: Row): Step<number> =>
  db.run(sql`
    update ${raw(quoted(table.name))} set ${joined(
      columns.map(({ name }) => sql`${raw(quoted(name))} = ${given[name] ?? null}`),
      ', ',
    )}
    where tenant = ${db.tenant} and ${hasKeyOf(table, row)}`);

/** The first of these keys that is already in the store. */
export function* findExistingKey(db: Reader, table: Table, rows: readonly Row[]): Work<Row | undefined> {
  if (rows.length === 0) return undefined;
  const isEqual = ({ name }: Column, row: Row): Sql => sql`${raw(quoted(name))} = ${row[name] ?? null}`;
  // The tenant in each condition: with it only once, SQLite reads every row of the tenant instead of looking up each
  // key.
  const isOne = (row: Row): Sql =>
    sql`(${joined([sql`tenant = ${db.tenant}`, ...table.key.map((column) => isEqual(column, row))], ' and ')})`;
  const columns = table.key.length === 0 ? [tenantColumn] : table.key;
  return yield* db.get(
    sql<Row>`select ${named(columns)} from ${raw(quoted(table.name))} where ${joined(rows.map(isOne), ' or ')} limit 1`,
  );
}

export type OnConflict = 'keep' | 'replace';

function onConflict({ key }: Table, columns: readonly Column[], onTaken: OnConflict): Sql {
  const others = columns.filter(({ name }) => !key.some((column) => column.name === name));
  if (onTaken === 'keep' || others.length === 0) return raw('on conflict do nothing');
  const changes = others.map(({ name }) => `${quoted(name)} = excluded.${quoted(name)}`).join(', ');
  return sql`on conflict (${named([tenantColumn, ...key])}) do update set ${raw(changes)}`;
}

/** The columns and values with the hashes of each row, which rows of an older store do not have. */
function withHashes(table: Table, columns: readonly Column[], rows: readonly Row[]) {
  if (table.hashes.length === 0) return { columns, rows };
  const names = table.hashes.map(({ hash = 'row_hash' }) => hash);
  const others = columns.filter(({ name }) => !names.includes(name));
  const added = table.columns.filter(({ name }) => names.includes(name));
  const hashed = rows.map((row) => ({
    ...row,
    ...Object.fromEntries(table.hashes.map((one, i) => [names[i]!, hashRow(one, row)])),
  }));
  return { columns: [...others, ...added], rows: hashed };
}

/** Writes rows with distinct keys and only these columns. Returns the number of written rows. */
export function writeRows(
  db: Writer,
  table: Table,
  given: readonly Column[],
  plain: readonly Row[],
  onTaken: OnConflict,
): Step<number> {
  const { columns, rows } = withHashes(table, given, plain);
  return db.run(sql`
    insert into ${raw(quoted(table.name))} (${named([tenantColumn, ...columns])})
    values ${values(rows.map((row) => [db.tenant, ...valuesOf(columns, row)]))}
    ${onConflict(table, columns, onTaken)}`);
}
