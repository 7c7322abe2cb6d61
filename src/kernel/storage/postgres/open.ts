import { setTimeout as pause } from 'node:timers/promises';
import { type Call, localTenant, type TenantId } from '../../call.ts';
import { faults, isOutcomeUnknown } from '../../fault/kernel-faults.ts';
import { changesQuery, versionQuery } from '../change-feed.ts';
import { createCommitSignal } from '../commit-signal.ts';
import { createWriteCounter, toKeyedWrite, wrapWrite } from '../idempotency.ts';
import { schemaVersion } from '../migration.ts';
import type { Reader, Step, Storage, StorageOptions, Writer } from '../port.ts';
import { sql } from '../sql.ts';
import { createHandle, type Handle, type TransactionCall } from '../transaction-handle.ts';
import { createWriteHealth, probeCall, whyUnavailable } from '../write-health.ts';
import { postgresCapabilities } from './capabilities.ts';
import { createNotifier, listenForCommits } from './commit-notifications.ts';
import { isRetryable, standbyWhy, toStoreFault } from './errors.ts';
import { openPool } from './pool.ts';
import { postgresLimits } from './postgres-limits.ts';
import { prepareDatabase } from './prepare-database.ts';
import { purgePostgres } from './purge.ts';
import { createRenderer } from './render.ts';
import { defaultRole } from './schema.ts';
import { openTransaction, runWork, type Transaction } from './transaction.ts';
import { createTransactionDeadline, type TransactionDeadline } from './transaction-deadline.ts';

export interface PostgresOptions extends StorageOptions {
  readonly url: string;
  readonly poolSize?: number | undefined;
  /** The role that serves calls; created if missing. */
  readonly role?: string | undefined;
  /** Creates and migrates nothing, and rejects a database that is not at the current version. */
  readonly inspectOnly?: boolean | undefined;
}

type CallLimits = Pick<Call, 'signal' | 'deadlineAt'>;

const never = new AbortController().signal;

/** A condition is 1 or 0. */
const standbyQuery = sql<{ readonly is_standby: number }>`
  select pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as is_standby`;

export async function openPostgres(options: PostgresOptions): Promise<Storage> {
  const { migrations, clock, log, auditKey, url, poolSize } = options;
  const role = options.role ?? defaultRole;
  const { inspectOnly = false, migrating } = options;
  await prepareDatabase({ url, role, migrations, clock, log, inspectOnly, migrating });
  const pool = await openPool({ url, poolSize, role, log });
  const common = {
    role,
    schemaVersion: schemaVersion(migrations),
    render: createRenderer(),
    commitGraceMs: postgresLimits.commitGraceMs,
  };
  const ordinalOf = createWriteCounter();
  const notifier = createNotifier(pool);
  const health = createWriteHealth();
  const active = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  const commitSignal = createCommitSignal({
    listen: (wake) => listenForCommits({ url, log, wake, isOwn: pool.isOwn, checkMs: postgresLimits.listenCheckMs }),
  });

  async function inTransaction<T>(
    mode: 'read' | 'write',
    { tenant, durability }: Pick<Call, 'tenant' | 'durability'>,
    deadline: TransactionDeadline,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    const { connection, release } = await pool.acquire(deadline);
    const transaction = openTransaction(mode, { ...common, connection, deadline, tenant, durability });
    try {
      return await work(transaction);
    } catch (error) {
      await transaction.rollBack();
      throw error;
    } finally {
      deadline.onFailure(undefined);
      release();
    }
  }

  /** Closing waits for transactions that have started, including those that wait for a connection. */
  async function begin<T>(
    mode: 'read' | 'write',
    limits: CallLimits,
    work: (deadline: TransactionDeadline) => Promise<T>,
  ): Promise<T> {
    if (closing !== undefined) throw faults.SHUTTING_DOWN();
    const running = withDeadline(mode, limits, work);
    active.add(running);
    try {
      return await running;
    } finally {
      active.delete(running);
    }
  }

  async function withDeadline<T>(
    mode: 'read' | 'write',
    limits: CallLimits,
    work: (deadline: TransactionDeadline) => Promise<T>,
  ): Promise<T> {
    const startedAt = clock.now();
    const onTimeout = () => (mode === 'write' ? faults.STORE_BUSY() : faults.TIMEOUT({ ms: clock.now() - startedAt }));
    const deadline = createTransactionDeadline(limits, clock, onTimeout);
    try {
      return await work(deadline);
    } catch (error) {
      throw toStoreFault(error, mode);
    } finally {
      deadline.clear();
    }
  }

  const read = <T>(call: TransactionCall, limits: CallLimits, work: (db: Reader) => Step<T>): Promise<T> =>
    begin('read', limits, (deadline) =>
      inTransaction('read', call, deadline, async (transaction) => {
        const handle = createHandle(call, () => clock.now(), 'read');
        const value = await runWork(transaction, handle, work(handle));
        transaction.finish();
        return value;
      }),
    );

  /** Records the commit in the call, whose deadline may pass while the commit is in progress. */
  async function commitFor({ effect }: Call, { hasEffect }: Handle, transaction: Transaction): Promise<void> {
    if (effect === undefined || !hasEffect) return transaction.commit();
    effect.commitStarts();
    try {
      await transaction.commit();
    } catch (error) {
      if (!isOutcomeUnknown(error)) effect.commitEnds(false);
      throw error;
    }
    effect.commitEnds(true);
  }

  async function writeOnce<T>(
    call: Call,
    ordinal: number,
    deadline: TransactionDeadline,
    work: (db: Writer) => Step<T>,
  ): Promise<T> {
    return inTransaction('write', call, deadline, async (transaction) => {
      const run = async () => {
        const handle = createHandle(call, () => clock.now(), 'write');
        const value = await runWork(
          transaction,
          handle,
          wrapWrite(handle, call, toKeyedWrite(call, ordinal), auditKey, work),
        );
        return { value, handle };
      };
      if (options.rehearse) {
        transaction.savepoint();
        await run();
        transaction.rollBackToSavepoint();
      }
      const { value, handle } = await run();
      await commitFor(call, handle, transaction);
      commitSignal.wake();
      if (handle.changes.length > 0) notifier.schedule();
      return value;
    });
  }

  /** PostgreSQL flushes no commit that wrote nothing to its log, so this one writes an empty message. */
  const flushOnce = (call: Call, deadline: TransactionDeadline): Promise<void> =>
    inTransaction('write', call, deadline, async (transaction) => {
      const handle = createHandle(call, () => clock.now(), 'write');
      await transaction.execute(
        { kind: 'get', query: sql`select pg_logical_emit_message(true, 'fourfold', '')` },
        handle,
      );
      await transaction.commit();
    });

  const flush = ({ durability, ...call }: Call): Promise<void> =>
    watched(begin('write', call, (deadline) => flushOnce(call, deadline)));

  async function watched<T>(writing: Promise<T>): Promise<T> {
    try {
      const value = await writing;
      health.stored();
      return value;
    } catch (error) {
      health.failed(error);
      throw error;
    }
  }

  function write<T>(call: Call, work: (db: Writer) => Step<T>): Promise<T> {
    const ordinal = ordinalOf(call);
    const writing = begin('write', call, async (deadline) => {
      for (let failureCount = 0; ; failureCount += 1) {
        try {
          return await writeOnce(call, ordinal, deadline, work);
        } catch (error) {
          if (!isRetryable(error) || failureCount >= postgresLimits.retryCount || deadline.failure !== undefined)
            throw error;
        }
        const pauseMs = Math.min(postgresLimits.retryPauseMs * 2 ** failureCount, postgresLimits.retryPauseMaxMs);
        await pause(Math.random() * pauseMs);
      }
    });
    return watched(writing);
  }

  /** A small query outside any call. */
  const query = <T>(tenant: TenantId, work: (db: Reader) => Step<T>): Promise<T> =>
    read({ tenant, tool: 'storage' }, { signal: never, deadlineAt: clock.now() + postgresLimits.questionMs }, work);

  return {
    capabilities: postgresCapabilities,
    read: (call, work) => read(call, call, work),
    write,
    flush,
    async writeProblem() {
      // Only a write shows that the server accepts writes again.
      if (health.problem() !== undefined) return flush(probeCall(clock)).then(() => undefined, whyUnavailable);
      const isStandby = await query(localTenant, (db) => db.get(standbyQuery));
      return isStandby?.is_standby === 1 ? standbyWhy : undefined;
    },
    version: (tenant, topic) =>
      query(tenant, function* (db) {
        return (yield* db.get(versionQuery(tenant, topic)))?.seq ?? 0;
      }),
    changesSince: (tenant, topic, seq, limit) => query(tenant, (db) => db.all(changesQuery(tenant, topic, seq, limit))),
    stamp: () => undefined,
    async purge({ rewrite } = { rewrite: false }) {
      if (rewrite) await purgePostgres(url);
      return rewrite;
    },
    poolUsage: pool.usage,
    watch: (wake) => commitSignal.subscribe(wake),
    close() {
      closing ??= (async () => {
        commitSignal.stop();
        await Promise.allSettled(active);
        await notifier.flush();
        await pool.close();
      })();
      return closing;
    },
  };
}
