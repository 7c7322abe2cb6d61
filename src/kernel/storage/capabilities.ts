import type { Sql } from './sql.ts';

/** A column as the engine's own catalog describes it. */
export interface CatalogRow {
  readonly table_name: string;
  readonly name: string;
  readonly type: string;
  readonly not_null: number;
  readonly has_default: number;
  /** 1 for the first column of the primary key, 0 for a column outside it. */
  readonly key_place: number;
}

/** Named differences between the engines, so that no caller compares engine names. */
export interface Capabilities {
  /** For display only: status, doctor, logs. */
  readonly engine: 'sqlite' | 'postgres';
  /**
   * The store is a file of this machine: data may also be kept in files next to it, and `backupTo` exists. Otherwise
   * several machines may share the store, and everything they share must be in it.
   */
  readonly isLocal: boolean;
  /** `watch` reports every commit. Otherwise it may miss commits of other processes that recorded no change. */
  readonly watchesEveryCommit: boolean;
  /** `stamp` has a value while the store is open. */
  readonly hasStamp: boolean;
  /** The columns of these tables, in their order. */
  catalogQuery(tables: readonly string[]): Sql<CatalogRow>;
}
