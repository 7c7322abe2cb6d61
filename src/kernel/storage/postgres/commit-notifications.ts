import type pg from 'pg';
import type { Log } from '../../log/log.ts';
import { clientConfig, type Pool } from './pool.ts';
import { postgresLimits } from './postgres-limits.ts';

export const channel = 'fourfold_commits';

/** Increases with every writing transaction of the whole server, so it reveals commits without a notification. */
const newestTransaction = 'select pg_snapshot_xmax(pg_current_snapshot())::text as id';

export interface ListenDeps {
  readonly url: string;
  readonly log: Log;
  wake(): void;
  /** True for a server process of our own pool: its commits were announced in this process already. */
  isOwn(processId: number): boolean;
  /** Interval between checks of the connection, which also find missed commits. */
  readonly checkMs: number;
}

/** Listens for commits of other processes on a separate connection, and reconnects until it is stopped. */
export function listenForCommits({ url, log, wake, isOwn, checkMs }: ListenDeps): () => void {
  let isWanted = true;
  let timer: NodeJS.Timeout | undefined;
  let client: pg.Client | undefined;
  let failureCount = 0;

  function later(ms: number, act: () => Promise<void>): void {
    if (isWanted) timer = setTimeout(() => void act(), ms).unref();
  }

  function lose(lost: pg.Client, reason: string): void {
    if (client !== lost) return;
    client = undefined;
    clearTimeout(timer);
    lost.connection.stream.destroy();
    if (!isWanted) return;
    failureCount += 1;
    log.debug({ reason, failureCount }, 'lost the connection that listens for commits; reconnecting');
    const pauseMs = Math.min(postgresLimits.listenRetryMs * 2 ** failureCount, postgresLimits.listenRetryMaxMs);
    later(pauseMs * (0.5 + Math.random() / 2), open);
  }

  /** Drops a connection that no longer answers, and makes up for a missing notification. */
  async function check(on: pg.Client, last: string | undefined): Promise<void> {
    const silent = setTimeout(() => lose(on, 'no answer'), checkMs).unref();
    try {
      const { rows } = await on.query<{ id: string }>(newestTransaction);
      const newest = rows[0]?.id;
      if (newest !== last) wake();
      if (client === on) later(checkMs, () => check(on, newest));
    } catch (error) {
      lose(on, (error as Error).message);
    } finally {
      clearTimeout(silent);
    }
  }

  async function open(): Promise<void> {
    const { Client } = await import('pg');
    if (!isWanted) return;
    const opened = new Client(clientConfig(url));
    client = opened;
    opened.on('error', (error) => lose(opened, error.message));
    opened.on('notification', ({ processId }) => {
      if (!isOwn(processId)) wake();
    });
    try {
      await opened.connect();
      await opened.query(`listen ${channel}`);
      failureCount = 0;
    } catch (error) {
      lose(opened, (error as Error).message);
      return;
    }
    // Nothing announced the commits that happened before we listened.
    await check(opened, undefined);
  }

  void open();
  return () => {
    isWanted = false;
    clearTimeout(timer);
    void client?.end().catch(() => {});
  };
}

/** Notifies other processes of commits. */
export interface Notifier {
  /** Commits that follow shortly share one notification. */
  schedule(): void;
  /** Sends a scheduled notification now. */
  flush(): Promise<void>;
}

/**
 * NOTIFY inside the writing transaction makes all commits of the server wait for each other, which halves the
 * throughput of many tenants. It carries no data, so it is sent after the commit. A lost one is noticed by the
 * listeners' regular check.
 */
export function createNotifier(pool: Pool): Notifier {
  let timer: NodeJS.Timeout | undefined;

  async function notify(): Promise<void> {
    timer = undefined;
    await pool.run(`notify ${channel}`).catch(() => {});
  }

  return {
    schedule() {
      timer ??= setTimeout(() => void notify(), postgresLimits.notifyMs).unref();
    },
    async flush() {
      if (timer === undefined) return;
      clearTimeout(timer);
      await notify();
    },
  };
}
