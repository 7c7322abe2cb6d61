import { faults } from '#kernel/fault/kernel-faults.ts';
import { type Migration, schemaVersion } from '#kernel/storage/migration.ts';
import type { Column, Table } from '#kernel/storage/transfer-tables.ts';
import { adminFaults } from '../admin-faults.ts';
import { type ExportHeader, exportVersion, headerSchema } from './export-format.ts';
import { parseLine, readLines } from './read-lines.ts';

/** A table of this store with the columns that the export contains. */
export interface Layout {
  readonly table: Table;
  readonly columns: readonly Column[];
}

export interface CheckedHeader {
  readonly header: ExportHeader;
  readonly layouts: readonly Layout[];
}

const refuse = (why: string) => adminFaults.IMPORT_INVALID({ line: 1, why });

function parseHeader(value: unknown): ExportHeader {
  const { format, version } = (value ?? {}) as Record<string, unknown>;
  if (format !== 'fourfold-export') throw refuse('this file is not a fourfold export');
  if (typeof version === 'number' && version > exportVersion) {
    throw refuse(
      `its version is ${version}, but this program reads up to ${exportVersion}: import it with a newer version`,
    );
  }
  const parsed = headerSchema.safeParse(value);
  if (!parsed.success)
    throw refuse(`the header is damaged at ${parsed.error.issues[0]?.path.join('.') || 'the top level'}`);
  return parsed.data;
}

function checkSchema({ schema }: ExportHeader, migrations: readonly Migration[]): void {
  const known = schemaVersion(migrations);
  if (schema > known) throw faults.STORE_NEWER({ found: schema, known });
  if (!migrations.some(({ id }) => id === schema)) throw refuse(`no version of this program had the schema ${schema}`);
}

/** An older export may lack newer columns that are nullable or have a default. */
function toLayout(entry: ExportHeader['tables'][number], tables: ReadonlyMap<string, Table>): Layout {
  const table = tables.get(entry.name);
  if (table === undefined) throw refuse(`the table ${entry.name} cannot be imported`);
  const given = new Set(entry.columns);
  const columns = table.columns.filter(({ name }) => given.has(name));
  const unknown = entry.columns.find((name) => !table.columns.some((column) => column.name === name));
  if (unknown !== undefined) throw refuse(`${entry.name} has no column ${unknown}`);
  if (columns.length !== entry.columns.length) throw refuse(`a column of ${entry.name} is named twice`);
  const missing = table.columns.find(
    ({ name, isNullable, hasDefault }) => !given.has(name) && !isNullable && !hasDefault,
  );
  if (missing !== undefined) throw refuse(`${entry.name} lacks the column ${missing.name}`);
  return { table, columns };
}

export async function readHeader(
  file: string,
  tables: readonly Table[],
  migrations: readonly Migration[],
): Promise<CheckedHeader> {
  for await (const line of readLines(file)) {
    const header = parseHeader(parseLine(line));
    checkSchema(header, migrations);
    const names = header.tables.map(({ name }) => name);
    const twice = names.find((name, i) => names.indexOf(name) !== i);
    if (twice !== undefined) throw refuse(`the table ${twice} is named twice`);
    const known = new Map(tables.map((table) => [table.name, table]));
    return { header, layouts: header.tables.map((entry) => toLayout(entry, known)) };
  }
  throw refuse('the file is empty');
}
