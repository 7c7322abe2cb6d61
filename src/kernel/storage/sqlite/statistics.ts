import type Database from 'better-sqlite3';

interface IndexRow {
  readonly tbl: string;
  readonly idx: string;
  readonly is_unique: number;
  readonly is_partial: number;
  /** In the order of the index, with commas between them. */
  readonly columns: string;
}

/** What a large store has. A partial index holds few of the rows. */
const rowsCount = 1_000_000;
const partialRowsCount = 100_000;
/** How many rows SQLite assumes to be equal in the first column of an index; one fewer with each further column. */
const equalRowsCount = 10;

function toStatistics({ is_unique, is_partial, columns }: IndexRow): string | undefined {
  const [first, ...others] = columns.split(',');
  if (first !== 'tenant') return undefined;
  const all = is_partial === 1 ? partialRowsCount : rowsCount;
  const equal = others.map((_, i) => Math.max(2, equalRowsCount - i));
  if (is_unique === 1 && equal.length > 0) equal[equal.length - 1] = 1;
  return [all, all, ...equal].join(' ');
}

export const hasStatistics = (db: Database.Database): boolean =>
  db.prepare("select 1 from sqlite_master where name = 'sqlite_stat1'").get() !== undefined;

/**
 * Without statistics SQLite assumes that ten rows have the same tenant, and prefers to read all rows of a tenant where an
 * index would find a few. With these statistics it assumes a million. They are not measured, so that plans do not
 * change with the data. Belongs into a transaction.
 */
export function assumeStatistics(db: Database.Database): void {
  const indexes = db
    .prepare(
      `select t.name as tbl, iif(i.origin = 'pk' and t.wr, t.name, i.name) as idx, i."unique" as is_unique,
        i.partial as is_partial,
        (select group_concat(name) from (
          select x.name from pragma_index_xinfo(i.name) x where x.key order by x.seqno)) as columns
      from pragma_table_list t join pragma_index_list(t.name) i
      where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite_%'`,
    )
    .all() as readonly IndexRow[];
  // Creates the table of statistics.
  db.exec('analyze migrations');
  db.exec('delete from sqlite_stat1');
  const insert = db.prepare('insert into sqlite_stat1 (tbl, idx, stat) values (?, ?, ?)');
  for (const index of indexes) {
    const statistics = toStatistics(index);
    if (statistics !== undefined) insert.run(index.tbl, index.idx, statistics);
  }
  // Loads them.
  db.exec('analyze sqlite_schema');
}
