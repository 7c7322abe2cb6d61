import { createHash } from 'node:crypto';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Bound } from '#kernel/storage/sql.ts';
import type { Row } from '#kernel/storage/transfer.ts';
import type { ColumnType, Table } from '#kernel/storage/transfer-tables.ts';
import { adminFaults } from '../admin-faults.ts';
import type { CheckedHeader, Layout } from './check-header.ts';
import { decodeValue, exportLimits, trailerSchema, WrongValue } from './export-format.ts';
import { type Line, parseLine, readLines } from './read-lines.ts';

/** Rows of one table that are written in one transaction. */
export interface Chunk extends Layout {
  readonly rows: readonly Row[];
  /** The hash of the lines in the export. */
  readonly hash: string;
  readonly endsAt: number;
  /** The line of the last row; the others precede it directly. */
  readonly lastLine: number;
}

const refuse = ({ number }: Pick<Line, 'number'>, why: string) => adminFaults.IMPORT_INVALID({ line: number, why });

/** The order of both engines: text is compared by UTF-8 bytes, unlike in JavaScript. */
function compareValues(type: ColumnType, a: Bound, b: Bound): number {
  if (type === 'text') return Buffer.compare(Buffer.from(a as string), Buffer.from(b as string));
  if (type === 'blob') return Buffer.compare(a as Uint8Array, b as Uint8Array);
  return (a as number) < (b as number) ? -1 : (a as number) > (b as number) ? 1 : 0;
}

function compareKeys({ key }: Table, a: Row, b: Row): number {
  for (const { name, type } of key) {
    const order = compareValues(type, a[name] ?? null, b[name] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}

function toRow(line: Line, { table, columns }: Layout, value: unknown): Row {
  if (value === null || typeof value !== 'object') throw refuse(line, 'its row is not an object');
  const given = value as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(given).find((name) => !columns.some((column) => column.name === name));
  if (unknown !== undefined) throw refuse(line, `the header names no column ${unknown} of ${table.name}`);
  const row: Record<string, Bound> = {};
  for (const column of columns) {
    if (!Object.hasOwn(given, column.name)) throw refuse(line, `the column ${column.name} of ${table.name} is missing`);
    try {
      row[column.name] = decodeValue(column, given[column.name]);
    } catch (error) {
      throw error instanceof WrongValue ? refuse(line, `${table.name}.${error.message}`) : error;
    }
  }
  return row;
}

function checkTrailer(line: Line, value: object, counts: ReadonlyMap<string, number>, sha256: string): void {
  const parsed = trailerSchema.safeParse(value);
  if (!parsed.success) throw refuse(line, 'the trailer is damaged');
  if (parsed.data.sha256 !== sha256) throw refuse(line, 'the lines before it were changed: their SHA-256 differs');
  const said = new Map(Object.entries(parsed.data.counts));
  const isSame = said.size === counts.size && [...counts].every(([name, count]) => said.get(name) === count);
  if (!isSame) throw refuse(line, 'the row counts do not match the lines before it');
}

/** Yields every row, checked. The generator ends normally only if the trailer matches all rows. */
export async function* readChunks(file: string, { layouts }: CheckedHeader): AsyncGenerator<Chunk> {
  const hash = createHash('sha256');
  const counts = new Map(layouts.map(({ table }) => [table.name, 0]));
  let place = 0;
  let rows: Row[] = [];
  let lines: Buffer[] = [];
  let bytes = 0;
  let last: Row | undefined;
  let endsAt = 0;
  let lastLine = 1;
  let isEnded = false;

  function* flush(): Generator<Chunk> {
    const layout = layouts[place];
    if (layout === undefined || rows.length === 0) return;
    yield { ...layout, rows, hash: sha256Hex(Buffer.concat(lines)), endsAt, lastLine };
    rows = [];
    lines = [];
    bytes = 0;
  }

  for await (const line of readLines(file)) {
    if (isEnded) throw refuse(line, 'it follows the trailer');
    if (line.number === 1) {
      hash.update(line.bytes);
      continue;
    }
    const value = parseLine(line);
    if ('end' in value) {
      yield* flush();
      checkTrailer(line, value, counts, hash.digest('hex'));
      isEnded = true;
      continue;
    }
    const { t: name, r, ...others } = value as Readonly<Record<string, unknown>>;
    if (Object.keys(others).length > 0) throw refuse(line, 'it has unknown members');
    const found = layouts.findIndex(({ table }) => table.name === name);
    const layout = layouts[found];
    if (layout === undefined) throw refuse(line, 'the header does not name its table');
    if (found < place) throw refuse(line, `rows of ${layout.table.name} are not contiguous`);
    if (found > place) {
      yield* flush();
      place = found;
      last = undefined;
    }
    const row = toRow(line, layout, r);
    if (last !== undefined && compareKeys(layout.table, last, row) >= 0) {
      throw refuse(line, `rows of ${layout.table.name} are not in key order, or one occurs twice`);
    }
    last = row;
    hash.update(line.bytes);
    counts.set(layout.table.name, (counts.get(layout.table.name) ?? 0) + 1);
    rows.push(row);
    lines.push(line.bytes);
    bytes += line.bytes.length;
    endsAt = line.endsAt;
    lastLine = line.number;
    if (rows.length >= exportLimits.chunkRowsCount || bytes >= exportLimits.chunkBytes) yield* flush();
  }
  if (!isEnded) throw adminFaults.IMPORT_INVALID({ line: 1, why: 'the export has no trailer: it is truncated' });
}
