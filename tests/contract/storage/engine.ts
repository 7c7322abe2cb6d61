import type { Clock } from '#kernel/clock/clock.ts';
import type { Log } from '#kernel/log/log.ts';
import type { Capabilities } from '#kernel/storage/capabilities.ts';
import type { Migration } from '#kernel/storage/migration.ts';
import type { Storage, StorageOptions } from '#kernel/storage/port.ts';

export interface OpenOptions {
  readonly migrations?: readonly Migration[];
  readonly clock?: Clock;
  readonly log?: Log;
}

/** One store, new and empty, with the ways of getting at it that a test needs beside the port. */
export interface TestStore {
  /** Each opening is a process of its own, as far as the store can tell. */
  open(options?: OpenOptions): Promise<Storage>;
  /** Another party takes the lock that the contract's tables are written under, and keeps it until the answer is called. */
  block(): Promise<() => Promise<void>>;
  /** Somebody behind the program's back, with all rights. */
  tamper(statement: string): Promise<void>;
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
