import type { Call, TenantId } from '../call.ts';
import type { Clock } from '../clock/clock.ts';
import type { Log } from '../log/log.ts';
import type { Capabilities } from './capabilities.ts';
import type { Migration, MigrationProgress } from './migration.ts';
import type { Sql } from './sql.ts';

export interface StorageOptions {
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
  readonly log: Log;
  readonly auditKey: Uint8Array;
  readonly migrating?: MigrationProgress | undefined;
  /** For tests: runs every write twice and rolls the first run back, which proves that work can be repeated. */
  readonly rehearse?: boolean;
}

/**
 * One trip to the store. It runs only under `yield*`; a step that is created and never yielded fails the transaction.
 */
export interface Step<T> {
  [Symbol.iterator](): Work<T>;
}

/** A transaction is a generator. `await` does not compile in it, so no other code can run in the middle. */
export type Work<T> = Generator<Step<unknown>, T, unknown>;

export interface Reader {
  readonly tenant: TenantId;
  /** The clock is read once per transaction, unless `catchUp` reads it again. */
  readonly now: number;
  get<Row>(query: Sql<Row>): Step<Row | undefined>;
  all<Row>(query: Sql<Row>): Step<readonly Row[]>;
}

export type Topic = string;
export type ChangeKind = 'create' | 'update' | 'delete';

export interface Writer extends Reader {
  /** Returns the number of changed rows. */
  run(query: Sql): Step<number>;
  /** PostgreSQL: an advisory lock until the commit. SQLite: nothing to do, there is only one writer. */
  lock(name: string): Step<void>;
  /**
   * Reads the clock again. After a lock that every writer of some rows takes, `now` is in commit order for these rows:
   * it is never earlier than the tenant's last committed change, even if clocks differ or are set back. With
   * `notBefore`, neither this transaction nor a later one that catches up gets an earlier time.
   */
  catchUp(notBefore?: number): Step<void>;
  /** When the tenant last forgot something, 0 if it never did. Known after `catchUp`. */
  readonly forgottenAt: number;
  /** Writes the audit row and the change log entry, and causes the event. */
  changed(topic: Topic, id: string, what: ChangeKind, hash: string): Step<void>;
}

export interface Change {
  readonly seq: number;
  readonly topic: Topic;
  readonly id: string;
  readonly what: ChangeKind;
  readonly hash: string;
}

export interface Storage {
  readonly capabilities: Capabilities;
  /** Runs `work` on one snapshot. `work` is a generator or returns one step. */
  read<T>(call: Call, work: (db: Reader) => Step<T>): Promise<T>;
  /** Resolves after a durable commit. `work` may run again, so it must have no effect outside `db`. */
  write<T>(call: Call, work: (db: Writer) => Step<T>): Promise<T>;
  /** Resolves when every commit so far is on disk, including those of calls with `durability: 'soon'`. */
  flush(call: Call): Promise<void>;
  /** The newest `seq` of a topic in a tenant (undefined: of any topic), or 0 if nothing ever changed. */
  version(tenant: TenantId, topic: Topic | undefined): Promise<number>;
  /** Changes after `seq`, in commit order. `topic` undefined: every topic. */
  changesSince(tenant: TenantId, topic: Topic | undefined, seq: number, limit: number): Promise<readonly Change[]>;
  /**
   * Moves with every commit of any process, and is cheap enough to read in every call. Undefined if the engine needs a
   * query for that.
   */
  stamp(): number | undefined;
  /**
   * Calls `wake`, coalesced, after commits of this process and soon after those of others. Returns an unsubscribe
   * function.
   */
  watch(wake: () => void): () => void;
  /** Why writes fail now, without paths and addresses; undefined if they work. Rejects if the store cannot be read. */
  writeProblem(): Promise<string | undefined>;
  /** Announces many large writes, during which no call waits. In effect until the store is closed. */
  prepareForBulk?(): void;
  /** Share of the connections in use, 0 to 1; only where there is a pool. */
  poolUsage?(): number;
  /**
   * Removes deleted content from the files of the store. False if readers prevent that now, or if it needs `rewrite`,
   * which writes whole tables again and makes calls wait.
   */
  purge(options?: { readonly rewrite: boolean }): Promise<boolean>;
  /** Writes a consistent copy of the whole store to a new file; only where `capabilities.isLocal`. */
  backupTo?(file: string): Promise<void>;
  close(): Promise<void>;
}
