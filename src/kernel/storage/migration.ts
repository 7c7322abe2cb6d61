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
