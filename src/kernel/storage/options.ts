import type { Clock } from '../clock/clock.ts';
import type { Log } from '../log/log.ts';
import type { Migration } from './migration.ts';

/** What both engines need to open a store. */
export interface StorageOptions {
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
  readonly log: Log;
  /** The key of the audit chain. */
  readonly auditKey: Uint8Array;
  /** Runs every write twice and rolls the first back: proves that each can be run again. For tests. */
  readonly rehearse?: boolean;
}
