import type { Reader, Work } from './port.ts';
import { type HashedTable, hashRow } from './row-hash.ts';
import { type PageLimits, type Row, readPage, transferLimits } from './transfer.ts';
import type { Table } from './transfer-tables.ts';

export interface DamagedRow {
  readonly table: Table;
  /** The hash that does not match. */
  readonly hashed: HashedTable;
  readonly row: Row;
}

export interface CheckedPage {
  readonly rowsCount: number;
  readonly damaged: readonly DamagedRow[];
  /** Undefined at the end of the table. */
  readonly last: Row | undefined;
}

export const hashColumnOf = ({ hash = 'row_hash' }: HashedTable): string => hash;

/** Compares the hashes of one page of rows, after a row. */
export function* checkPage(
  db: Reader,
  table: Table,
  after: Row | undefined,
  limits: PageLimits = transferLimits,
): Work<CheckedPage> {
  const rows = yield* readPage(db, table, after, limits);
  const damaged = rows.flatMap((row) =>
    table.hashes
      .filter((hashed) => row[hashColumnOf(hashed)] !== hashRow(hashed, row))
      .map((hashed) => ({ table, hashed, row })),
  );
  return { rowsCount: rows.length, damaged, last: rows.at(-1) };
}

/** For people: the table and the key. */
export const nameOfDamaged = ({ table, row }: Pick<DamagedRow, 'table' | 'row'>): string =>
  `${table.name} ${table.key.map(({ name }) => String(row[name])).join(' / ')}`;
