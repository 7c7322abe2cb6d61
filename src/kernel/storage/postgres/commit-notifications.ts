import type pg from 'pg';
import type { Log } from '../../log/log.ts';
import { clientConfig, type Pool } from './pool.ts';
import { postgresLimits } from './postgres-limits.ts';

export const channel = 'fourfold_commits';

/** Moves with every transaction that writes, on the whole server: one that told nobody is noticed by it. */
const newestTransaction = 'select pg_snapshot_xmax(pg_current_snapshot())::text as id';

export interface ListenDeps {
  readonly url: string;
  readonly log: Log;
  wake(): void;
  /** True for a server process of our own pool: its commits have woken everybody here already. */
  isOwn(processId: number): boolean;
  /** The connection is tried this often, and a wake-up that was lost is made up for. */
  readonly checkMs: number;
}

/** Hears of other processes' commits on a connection of its own, and connects again for as long as it is wanted. */
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
    log.debug({ reason, failureCount }, 'the connection that hears of commits was lost');
    const pauseMs = Math.min(postgresLimits.listenRetryMs * 2 ** failureCount, postgresLimits.listenRetryMaxMs);
    later(pauseMs * (0.5 + Math.random() / 2), open);
  }

  /** Ends a connection that is silent because it is dead, and makes up for a wake-up that was never sent. */
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
    // Whatever was committed before we listened, nobody has told us of.
    await check(opened, undefined);
  }

  void open();
  return () => {
    isWanted = false;
    clearTimeout(timer);
    void client?.end().catch(() => {});
  };
}

/** Tells other processes that something was committed. */
export interface Notifier {
  /** Commits of the next moment share the same word. */
  schedule(): void;
  /** Says now what waits to be said. */
  flush(): Promise<void>;
}

/**
 * NOTIFY inside the writer's transaction makes all commits of the server wait for each other, which halves the rate of many
 * tenants. It carries nothing, so it can as well come after; one that gets lost is made up for by whoever listens.
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
