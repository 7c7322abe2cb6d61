import type { Call } from '../../call.ts';
import { Fault } from '../../fault/fault.ts';
import { faults, isOutcomeUnknown } from '../../fault/kernel-faults.ts';
import { changesQuery, versionQuery } from '../change-feed.ts';
import { createCommitSignal } from '../commit-signal.ts';
import { createWriteCounter, toKeyedWrite, wrapWrite } from '../idempotency.ts';
import { schemaVersion } from '../migration.ts';
import type { Change, Step, Storage, StorageOptions, Writer } from '../port.ts';
import { createHandle } from '../transaction-handle.ts';
import { createWriteHealth, probeCall, whyUnavailable } from '../write-health.ts';
import { sqliteCapabilities } from './capabilities.ts';
import { type Connection, openConnection } from './connection.ts';
import { isBusy, toStoreFault } from './errors.ts';
import { createGroupCommit } from './group-commit.ts';
import { MigratedElsewhere, migrateSqlite } from './migrate.ts';
import { purgeSqlite } from './purge.ts';
import { openReadOnly } from './read-only.ts';
import { createStoreConnection } from './store-connection.ts';
import { runWork } from './transaction.ts';

export interface SqliteOptions extends StorageOptions {
  readonly file: string;
  /** How long another process may hold the lock while this one has to migrate; this blocks the thread. */
  readonly migrationWaitMs?: number | undefined;
}

export interface SqliteStorage extends Storage {
  backupTo(file: string): Promise<void>;
}

/** How often to check for commits of other processes while there is a subscriber. */
const foreignCommitPollMs = 200;
const openRetryMs = 10_000;
const migrationWaitMs = 10_000;
/** Another process that migrates a very large store. If it ends, its lock is free. */
const migrationElsewhereMs = 3_600_000;

const isMigratedElsewhere = (error: unknown): boolean =>
  error instanceof Fault && error.cause instanceof MigratedElsewhere;

/** Processes that open a new file together get in each other's way for a moment, so retry. */
export async function openSqliteWithRetry(options: SqliteOptions): Promise<SqliteStorage> {
  const startedAt = performance.now();
  for (;;) {
    try {
      // Waits here and not in SQLite, which would block the event loop.
      return openSqlite({ ...options, migrationWaitMs: 0 });
    } catch (error) {
      const isElsewhere = isMigratedElsewhere(error);
      const isBusyNow = error instanceof Fault && error.code === 'STORE_BUSY';
      if (!isElsewhere && !isBusyNow) throw error;
      if (performance.now() - startedAt > (isElsewhere ? migrationElsewhereMs : openRetryMs)) throw error;
    }
    // A short wait is that of a new file, a long one that of a migration.
    const pauseMs = performance.now() - startedAt < 1_000 ? 25 : 250;
    await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.2 + Math.random())));
  }
}

export function openSqlite(options: SqliteOptions): SqliteStorage {
  const { migrations, clock, log, auditKey } = options;
  const newest = schemaVersion(migrations);
  const ordinalOf = createWriteCounter();
  let isClosed = false;
  let isBulk = false;
  /**
   * Increases with each commit of this process, and by a lot when a new connection restarts its count of other commits.
   */
  let ownCommits = 0;
  let closing: Promise<void> | undefined;

  function open(): Connection {
    const opened = openConnection(options.file);
    try {
      const applied = migrateSqlite(opened, migrations, {
        now: clock.now(),
        waitMs: options.migrationWaitMs ?? migrationWaitMs,
        progress: options.migrating,
      });
      if (applied.length > 0) log.info({ applied }, 'store migrated');
      return opened;
    } catch (error) {
      opened.close();
      throw toStoreFault(error);
    }
  }

  const health = createWriteHealth();
  const store = createStoreConnection({
    file: options.file,
    log,
    open,
    openReadOnly: () => openReadOnly(options.file, newest),
    reopened(connection) {
      if (isBulk) connection.enlargeCache();
      ownCommits += 2 ** 32;
    },
  });

  /** `data_version` changes when another connection commits. */
  function listen(wake: () => void): () => void {
    let last = foreignVersion();
    const timer = setInterval(() => {
      const found = foreignVersion();
      if (found === undefined || found === last) return;
      last = found;
      wake();
    }, foreignCommitPollMs).unref();
    return () => clearInterval(timer);
  }

  /** Undefined while the file cannot be read. */
  function foreignVersion(): number | undefined {
    try {
      return store.current()?.dataVersion();
    } catch {
      return undefined;
    }
  }

  const commitSignal = createCommitSignal({ listen });

  const commits = createGroupCommit({
    connect: () => store.connectForWrite(),
    isInPlace: () => store.isInPlace(),
    discard: (failed) => store.discard(failed),
    schemaVersion: newest,
    now: () => clock.now(),
    committed() {
      ownCommits += 1;
      health.stored();
      commitSignal.wake();
    },
    slow(ms, tool) {
      if (!isBulk) log.warn({ tool, ms: Math.round(ms) }, 'a write held the lock for too long');
    },
  });

  function runWrite<T>(on: Connection, call: Call, ordinal: number, work: (db: Writer) => Step<T>) {
    const handle = createHandle(call, () => clock.now(), 'write');
    const value = runWork(on, handle, wrapWrite(handle, call, toKeyedWrite(call, ordinal), auditKey, work));
    return { value, hasEffect: handle.hasEffect };
  }

  function rehearse<T>(on: Connection, call: Call, ordinal: number, work: (db: Writer) => Step<T>): void {
    on.db.exec('savepoint rehearsal');
    try {
      runWrite(on, call, ordinal, work);
    } finally {
      if (on.db.inTransaction) on.db.exec('rollback to rehearsal; release rehearsal');
    }
  }

  /** Never throws: on a failing disk, the error of the read itself is the one to report, and SQLite may have rolled back. */
  function endRead(on: Connection): void {
    try {
      if (on.db.inTransaction) on.commit();
    } catch (error) {
      log.warn({ reason: String(error) }, 'could not end a read; opening the store again');
      store.discard(on);
    }
  }

  function readOnce<T>(call: Call, work: (db: Writer) => Step<T>): T {
    call.signal.throwIfAborted();
    const on = store.connect();
    on.begin();
    try {
      const handle = createHandle(call, () => clock.now(), 'read');
      return runWork(on, handle, work(handle));
    } finally {
      endRead(on);
    }
  }

  async function retryBusy<T>(deadlineAt: number, work: () => T): Promise<T> {
    for (;;) {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error) || clock.now() >= deadlineAt) throw toStoreFault(error);
      }
      await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 7));
    }
  }

  /** A small query outside any call. */
  const query = <T>(run: (on: Connection) => T): Promise<T> =>
    retryBusy(clock.now() + 5_000, () => run(store.connect()));

  function write<T>(call: Call, work: (db: Writer) => Step<T>): Promise<T> {
    const ordinal = ordinalOf(call);
    const { effect } = call;
    let hasEffect = false;
    const run = (on: Connection): T => {
      if (options.rehearse) rehearse(on, call, ordinal, work);
      const done = runWrite(on, call, ordinal, work);
      hasEffect = done.hasEffect;
      return done.value;
    };
    return new Promise((resolve, reject) => {
      if (isClosed || closing !== undefined) return reject(faults.SHUTTING_DOWN());
      commits.add({
        call,
        run,
        resolve(value) {
          if (hasEffect) {
            effect?.commitStarts();
            effect?.commitEnds(true);
          }
          resolve(value as T);
        },
        reject(error) {
          if (isOutcomeUnknown(error)) effect?.commitStarts();
          health.failed(error);
          reject(error);
        },
      });
    });
  }

  const flush = ({ durability, ...call }: Call): Promise<void> =>
    new Promise((resolve, reject) => {
      if (isClosed || closing !== undefined) return reject(faults.SHUTTING_DOWN());
      const fail = (error: unknown): void => {
        health.failed(error);
        reject(error);
      };
      commits.add({ call, run: (on) => on.touch(), resolve: () => resolve(), reject: fail });
    });

  return {
    capabilities: sqliteCapabilities,
    read: (call, work) => retryBusy(call.deadlineAt, () => readOnce(call, work)),
    write,
    flush,
    version: (tenant, topic) =>
      query((on) => {
        const found = on.execute({ kind: 'get', query: versionQuery(tenant, topic) }) as { seq: number | null };
        return found.seq ?? 0;
      }),
    changesSince: (tenant, topic, seq, limit) =>
      query((on) => on.execute({ kind: 'all', query: changesQuery(tenant, topic, seq, limit) }) as readonly Change[]),
    async writeProblem() {
      const problem = store.problem();
      if (problem !== undefined || health.problem() === undefined) return problem;
      // Only a write shows that the disk works again.
      return flush(probeCall(clock)).then(() => undefined, whyUnavailable);
    },
    stamp() {
      const foreign = foreignVersion();
      return foreign === undefined ? undefined : ownCommits + foreign;
    },
    watch: (wake) => commitSignal.subscribe(wake),
    prepareForBulk() {
      isBulk = true;
      store.connect().enlargeCache();
    },
    purge: () => query((on) => purgeSqlite(on)),
    backupTo: (file) =>
      query((on) => {
        on.db.prepare('vacuum into ?').run(file);
      }),
    close() {
      closing ??= commits.drained().then(() => {
        commitSignal.stop();
        isClosed = true;
        return store.close();
      });
      return closing;
    },
  };
}
