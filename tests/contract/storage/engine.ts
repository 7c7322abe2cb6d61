import type { Clock } from '#kernel/clock/clock.ts';
import type { Log } from '#kernel/log/log.ts';
import type { Capabilities } from '#kernel/storage/capabilities.ts';
import type { Migration } from '#kernel/storage/migration.ts';
import type { Storage, StorageOptions } from '#kernel/storage/port.ts';
import type { Bound } from '#kernel/storage/sql.ts';

export interface OpenOptions {
  readonly migrations?: readonly Migration[];
  readonly clock?: Clock;
  readonly log?: Log;
}

/** A new, empty store, with access that tests need in addition to the port. */
export interface TestStore {
  /** Each call acts like another process. */
  open(options?: OpenOptions): Promise<Storage>;
  /** Takes the lock for writing the contract's tables, and holds it until the returned function is called. */
  block(): Promise<() => Promise<void>>;
  /** Runs SQL outside the program, with all privileges. */
  tamper(statement: string): Promise<void>;
  /** The rows of a query outside the program, of all tenants. */
  look(query: string): Promise<readonly Readonly<Record<string, Bound>>[]>;
  remove(): Promise<void>;
}

export interface Engine {
  readonly name: string;
  readonly kind: Capabilities['engine'];
  readonly isRehearsing: boolean;
  create(): Promise<TestStore>;
}

export const auditKey = Buffer.from('the audit key of the contract suite');

export const toStorageOptions = (
  { migrations, clock, log }: OpenOptions,
  fallback: Pick<StorageOptions, 'migrations' | 'clock' | 'log'>,
  isRehearsing: boolean,
): StorageOptions => ({
  migrations: migrations ?? fallback.migrations,
  clock: clock ?? fallback.clock,
  log: log ?? fallback.log,
  auditKey,
  rehearse: isRehearsing,
});
