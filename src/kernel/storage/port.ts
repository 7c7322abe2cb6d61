import type { Call, TenantId } from '../call.ts';
import type { Clock } from '../clock/clock.ts';
import type { Log } from '../log/log.ts';
import type { Capabilities } from './capabilities.ts';
import type { Migration } from './migration.ts';
import type { Sql } from './sql.ts';

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

/** One trip to the store. It happens only under `yield*`; a step that was made and never yielded fails the transaction. */
export interface Step<T> {
  [Symbol.iterator](): Work<T>;
}

/** A transaction is a generator: `await` does not compile in it, so nothing foreign can run in its middle. */
export type Work<T> = Generator<Step<unknown>, T, unknown>;

export interface Reader {
  readonly tenant: TenantId;
  get<Row>(query: Sql<Row>): Step<Row | undefined>;
  all<Row>(query: Sql<Row>): Step<readonly Row[]>;
}

export type Topic = string;
export type ChangeKind = 'create' | 'update' | 'delete';

export interface Writer extends Reader {
  /** One clock reading a transaction. */
  readonly now: number;
  /** Answers the number of rows changed. */
  run(query: Sql): Step<number>;
  /** PostgreSQL: an advisory lock up to the commit. SQLite: the writer is alone already. */
  lock(name: string): Step<void>;
  /** Audit row, change log and event, from one source. */
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
  /** One snapshot. `work` is a generator, or one step. */
  read<T>(call: Call, work: (db: Reader) => Step<T>): Promise<T>;
  /** Resolves after a durable commit. `work` may run again, so it has no effect outside `db`. */
  write<T>(call: Call, work: (db: Writer) => Step<T>): Promise<T>;
  /** Resolves when every commit so far is on the disk, also those of calls with `durability: 'soon'`. */
  flush(call: Call): Promise<void>;
  /** The newest `seq` of a topic in a tenant (undefined: of any topic), 0 when nothing was ever changed. */
  version(tenant: TenantId, topic: Topic | undefined): Promise<number>;
  /** Changes after `seq`, in commit order. `topic` undefined: of every topic. */
  changesSince(tenant: TenantId, topic: Topic | undefined, seq: number, limit: number): Promise<readonly Change[]>;
  /** Moves with every commit of any process and is cheap enough for every call; undefined where only a question to the store tells. */
  stamp(): number | undefined;
  /** Called, coalesced, after commits of this process and soon after those of others. Answers an unsubscribe function. */
  watch(wake: () => void): () => void;
  /** Says that many large writes are to come, and that no call waits meanwhile: it holds until the store is closed. */
  prepareForBulk?(): void;
  /** Writes a consistent copy of the whole store to a new file; only where `capabilities.isLocal`. */
  backupTo?(file: string): Promise<void>;
  close(): Promise<void>;
}
