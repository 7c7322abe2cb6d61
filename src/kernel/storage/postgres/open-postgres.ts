import { setTimeout as pause } from 'node:timers/promises';
import type { Call, TenantId } from '../../call.ts';
import { faults } from '../../fault/kernel-faults.ts';
import { changesQuery, versionQuery } from '../changes.ts';
import { createWriteCounter, toKeyedWrite, wrapWrite } from '../idempotency.ts';
import { schemaVersion } from '../migrate.ts';
import type { StorageOptions } from '../options.ts';
import type { Reader, Step, Storage, Writer } from '../port.ts';
import { sql } from '../sql.ts';
import { type Asker, createHandle } from '../steps.ts';
import { createWatchers } from '../watchers.ts';
import { postgresCapabilities } from './capabilities.ts';
import { isRetryable, toStoreFault } from './errors.ts';
import { postgresLimits } from './limits.ts';
import { createNotifier, listen } from './listen.ts';
import { createPatience, type Patience } from './patience.ts';
import { openPool } from './pool.ts';
import { prepareDatabase } from './prepare-database.ts';
import { createRenderer } from './render.ts';
import { defaultRole } from './schema.ts';
import { drive, openTransaction, type Transaction } from './transaction.ts';

export interface PostgresOptions extends StorageOptions {
  readonly url: string;
  readonly poolSize?: number | undefined;
  /** The role that serves calls; it is made if it is not there. */
  readonly role?: string | undefined;
  /** Only looks: a database that is not at this version is refused, and nothing is made in it. */
  readonly asItIs?: boolean | undefined;
}

type Term = Pick<Call, 'signal' | 'deadlineAt'>;

const never = new AbortController().signal;

export async function openPostgres(options: PostgresOptions): Promise<Storage> {
  const { migrations, clock, log, auditKey, url, poolSize } = options;
  const role = options.role ?? defaultRole;
  await prepareDatabase({ url, role, migrations, clock, log, asItIs: options.asItIs ?? false });
  const pool = await openPool({ url, poolSize, role, log });
  const common = {
    role,
    schemaVersion: schemaVersion(migrations),
    render: createRenderer(),
    commitGraceMs: postgresLimits.commitGraceMs,
  };
  const ordinalOf = createWriteCounter();
  const notifier = createNotifier(pool);
  const underWay = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  const watchers = createWatchers({
    listen: (wake) => listen({ url, log, wake, isOwn: pool.isOwn, checkMs: postgresLimits.listenCheckMs }),
  });

  async function inTransaction<T>(
    mode: 'read' | 'write',
    { tenant, durability }: Pick<Call, 'tenant' | 'durability'>,
    patience: Patience,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    const { connection, giveBack } = await pool.borrow(patience);
    const transaction = openTransaction(mode, { ...common, connection, patience, tenant, durability });
    try {
      return await work(transaction);
    } catch (error) {
      await transaction.rollBack();
      throw error;
    } finally {
      patience.whenOver(undefined);
      giveBack();
    }
  }

  /** Closing waits for what was begun, also for what still waits for a connection. */
  async function begin<T>(mode: 'read' | 'write', term: Term, work: (patience: Patience) => Promise<T>): Promise<T> {
    if (closing !== undefined) throw faults.SHUTTING_DOWN();
    const begun = patiently(mode, term, work);
    underWay.add(begun);
    try {
      return await begun;
    } finally {
      underWay.delete(begun);
    }
  }

  async function patiently<T>(
    mode: 'read' | 'write',
    term: Term,
    work: (patience: Patience) => Promise<T>,
  ): Promise<T> {
    const startedAt = clock.now();
    const overdue = () => (mode === 'write' ? faults.STORE_BUSY() : faults.TIMEOUT({ ms: clock.now() - startedAt }));
    const patience = createPatience(term, clock, overdue);
    try {
      return await work(patience);
    } catch (error) {
      throw toStoreFault(error, mode);
    } finally {
      patience.end();
    }
  }

  const read = <T>(asker: Asker, term: Term, work: (db: Reader) => Step<T>): Promise<T> =>
    begin('read', term, (patience) =>
      inTransaction('read', asker, patience, async (transaction) => {
        const handle = createHandle(asker, clock.now(), 'read');
        const value = await drive(transaction, handle, work(handle));
        transaction.finish();
        return value;
      }),
    );

  async function writeOnce<T>(
    call: Call,
    ordinal: number,
    patience: Patience,
    work: (db: Writer) => Step<T>,
  ): Promise<T> {
    return inTransaction('write', call, patience, async (transaction) => {
      const run = async () => {
        const handle = createHandle(call, clock.now(), 'write');
        const value = await drive(
          transaction,
          handle,
          wrapWrite(handle, call, toKeyedWrite(call, ordinal), auditKey, work),
        );
        return { value, hasChanges: handle.changes.length > 0 };
      };
      if (options.rehearse) {
        transaction.savepoint();
        await run();
        transaction.rollBackToSavepoint();
      }
      const { value, hasChanges } = await run();
      await transaction.commit();
      watchers.wake();
      if (hasChanges) notifier.soon();
      return value;
    });
  }

  /** PostgreSQL flushes no commit that wrote nothing to its log, so this one writes a message of no meaning. */
  const flushOnce = (call: Call, patience: Patience): Promise<void> =>
    inTransaction('write', call, patience, async (transaction) => {
      const handle = createHandle(call, clock.now(), 'write');
      await transaction.execute(
        { kind: 'get', query: sql`select pg_logical_emit_message(true, 'fourfold', '')` },
        handle,
      );
      await transaction.commit();
    });

  async function write<T>(call: Call, work: (db: Writer) => Step<T>): Promise<T> {
    const ordinal = ordinalOf(call);
    return begin('write', call, async (patience) => {
      for (let failureCount = 0; ; failureCount += 1) {
        try {
          return await writeOnce(call, ordinal, patience, work);
        } catch (error) {
          if (!isRetryable(error) || failureCount >= postgresLimits.retryCount || patience.over !== undefined)
            throw error;
        }
        const pauseMs = Math.min(postgresLimits.retryPauseMs * 2 ** failureCount, postgresLimits.retryPauseMaxMs);
        await pause(Math.random() * pauseMs);
      }
    });
  }

  /** One small question outside any call. */
  const ask = <T>(tenant: TenantId, work: (db: Reader) => Step<T>): Promise<T> =>
    read({ tenant, tool: 'storage' }, { signal: never, deadlineAt: clock.now() + postgresLimits.questionMs }, work);

  return {
    capabilities: postgresCapabilities,
    read: (call, work) => read(call, call, work),
    write,
    flush: ({ durability, ...call }) => begin('write', call, (patience) => flushOnce(call, patience)),
    version: (tenant, topic) =>
      ask(tenant, function* (db) {
        return (yield* db.get(versionQuery(tenant, topic)))?.seq ?? 0;
      }),
    changesSince: (tenant, topic, seq, limit) =>
      ask(tenant, function* (db) {
        return yield* db.all(changesQuery(tenant, topic, seq, limit));
      }),
    stamp: () => undefined,
    watch: (wake) => watchers.add(wake),
    close() {
      closing ??= (async () => {
        watchers.stop();
        await Promise.allSettled(underWay);
        await notifier.flush();
        await pool.close();
      })();
      return closing;
    },
  };
}
