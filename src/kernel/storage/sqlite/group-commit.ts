import type { Call } from '../../call.ts';
import { faults } from '../../fault/kernel-faults.ts';
import { limits } from '../../limits.ts';
import type { Connection } from './connection.ts';
import { codeOf, isBusy, toStoreFault } from './errors.ts';

/** A queued write. `run` executes it on the connection and may be called again. */
export interface WriteJob {
  readonly call: Call;
  run(connection: Connection): unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

export interface GroupCommit {
  add(job: WriteJob): void;
  /** Resolves when the queue is empty. */
  drained(): Promise<void>;
}

export interface GroupCommitDeps {
  /** Returns the open connection. Reopens it after a failed commit, or throws the reason why nothing can be written. */
  connect(): Connection;
  /** False if a commit may have gone to a file that is no longer the store. */
  isInPlace(): boolean;
  /** Called with a connection that can no longer be trusted. */
  discard(connection: Connection): void;
  readonly schemaVersion: number;
  now(): number;
  committed(): void;
  slow(ms: number, tool: string): void;
}

type JobOutcome =
  | { readonly job: WriteJob; readonly value: unknown }
  | { readonly job: WriteJob; readonly error: unknown };

/** All writes of one event-loop turn share one durable commit. */
export function createGroupCommit(deps: GroupCommitDeps): GroupCommit {
  let queue: WriteJob[] = [];
  let isScheduled = false;
  let waiters: (() => void)[] = [];

  function schedule(delayMs?: number): void {
    if (isScheduled) return;
    isScheduled = true;
    if (delayMs === undefined) setImmediate(flush);
    else setTimeout(flush, delayMs);
  }

  /** Drops jobs that were cancelled or are overdue before the lock is requested. */
  function dropOverdue(isLockHeldElsewhere: boolean): void {
    const now = deps.now();
    queue = queue.filter((job) => {
      if (job.call.signal.aborted) job.reject(job.call.signal.reason);
      else if (isLockHeldElsewhere && now >= job.call.deadlineAt) job.reject(faults.STORE_BUSY());
      else return true;
      return false;
    });
  }

  function failAll(jobs: readonly WriteJob[], error: unknown): void {
    for (const job of jobs) job.reject(error);
  }

  function flush(): void {
    isScheduled = false;
    dropOverdue(false);
    if (queue.length === 0) {
      settleWaiters();
      return;
    }
    let connection: Connection;
    try {
      connection = deps.connect();
    } catch (error) {
      const jobs = queue;
      queue = [];
      failAll(jobs, toStoreFault(error));
      settleWaiters();
      return;
    }
    try {
      connection.beginImmediate(queue.every(({ call }) => call.durability === 'soon') ? 'soon' : 'now');
    } catch (error) {
      if (isBusy(error)) {
        dropOverdue(true);
        if (queue.length === 0) settleWaiters();
        // The random delay keeps the shares of several processes even and the event loop free.
        else schedule(Math.random() * limits.busyRetryMs);
        return;
      }
      const jobs = queue;
      queue = [];
      failAll(jobs, toStoreFault(error));
      settleWaiters();
      return;
    }
    runBatch(connection);
    if (queue.length > 0) schedule();
    else settleWaiters();
  }

  function runBatch(connection: Connection): void {
    const batch = queue;
    queue = [];
    let takenCount = 0;
    try {
      takenCount = runJobs(connection, batch);
    } catch (error) {
      // A statement around the jobs failed, as on a failing disk, so nothing was committed.
      takenCount = batch.length;
      deps.discard(connection);
      failAll(batch, toStoreFault(error));
    }
    queue = batch.slice(takenCount);
  }

  /** Returns how many jobs it has settled. Throws before it has settled any. */
  function runJobs(connection: Connection, batch: readonly WriteJob[]): number {
    const found = connection.schemaVersion();
    if (found !== deps.schemaVersion) {
      connection.rollback();
      failAll(batch, faults.STORE_NEWER({ found, known: deps.schemaVersion }));
      return batch.length;
    }
    const [first, ...others] = batch;
    if (first !== undefined && others.length === 0) {
      runOnly(connection, first);
      return 1;
    }
    const startedAt = performance.now();
    const settled: JobOutcome[] = [];
    for (const job of batch) {
      settled.push(runJob(connection, job));
      if (!connection.db.inTransaction) {
        // The failure aborted the whole transaction, as a full disk does. Run the successful jobs again, one by one.
        settle(settled.slice(-1));
        for (const other of settled.slice(0, -1)) runAlone(other.job);
        return settled.length;
      }
      if (performance.now() - startedAt > limits.writeHoldMs) break;
    }
    commit(connection, settled);
    return settled.length;
  }

  function runJob(connection: Connection, job: WriteJob): JobOutcome {
    connection.savepoint();
    const settled = drive(connection, job);
    if (connection.db.inTransaction) {
      if ('error' in settled) connection.rollbackTo();
      connection.release();
    }
    return settled;
  }

  /** A single write in its transaction needs no savepoint. */
  function runOnly(connection: Connection, job: WriteJob): void {
    const settled = drive(connection, job);
    if ('error' in settled) {
      if (!rollBack(connection)) deps.discard(connection);
      settle([settled]);
    } else commit(connection, [settled]);
  }

  function drive(connection: Connection, job: WriteJob): JobOutcome {
    const startedAt = performance.now();
    try {
      return { job, value: job.run(connection) };
    } catch (error) {
      return { job, error: toStoreFault(error) };
    } finally {
      const ms = performance.now() - startedAt;
      if (ms > limits.writeHoldMs) deps.slow(ms, job.call.tool);
    }
  }

  /** Asks for the connection each time: the job before may have made it unusable. */
  function runAlone(job: WriteJob): void {
    let connection: Connection;
    try {
      connection = deps.connect();
      connection.beginImmediate('now');
    } catch (error) {
      job.reject(toStoreFault(error));
      return;
    }
    runOnly(connection, job);
  }

  function commit(connection: Connection, settled: readonly JobOutcome[]): void {
    try {
      connection.commit();
    } catch (error) {
      failCommit(connection, settled, error);
      return;
    }
    deps.committed();
    // Checked again after the commit: the file may have been deleted during the batch.
    if (deps.isInPlace()) settle(settled);
    else settle(settled.map((one) => ('error' in one ? one : { job: one.job, error: faults.OUTCOME_UNKNOWN() })));
  }

  function failCommit(connection: Connection, settled: readonly JobOutcome[], error: unknown): void {
    // A full disk means that no commit frame was written. After any other failure the commit may or may not have
    // succeeded.
    const isKnown = codeOf(error).startsWith('SQLITE_FULL') && rollBack(connection);
    const fault = isKnown ? toStoreFault(error) : faults.OUTCOME_UNKNOWN(undefined, {}, { cause: error });
    if (!isKnown) deps.discard(connection);
    failAll(
      settled.map(({ job }) => job),
      fault,
    );
  }

  function rollBack(connection: Connection): boolean {
    try {
      if (connection.db.inTransaction) connection.rollback();
      return true;
    } catch {
      return false;
    }
  }

  function settle(settled: readonly JobOutcome[]): void {
    for (const one of settled) {
      if ('error' in one) one.job.reject(one.error);
      else one.job.resolve(one.value);
    }
  }

  function settleWaiters(): void {
    const waiting = waiters;
    waiters = [];
    for (const wake of waiting) wake();
  }

  return {
    add(job) {
      queue.push(job);
      schedule();
    },
    drained: () =>
      queue.length === 0 && !isScheduled ? Promise.resolve() : new Promise((resolve) => waiters.push(resolve)),
  };
}
