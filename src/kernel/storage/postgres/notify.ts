import { postgresLimits } from './limits.ts';
import { channel } from './listen.ts';
import type { Pool } from './pool.ts';

/** Tells other processes that something was committed. */
export interface Notifier {
  /** Commits of the next moment share the same word. */
  soon(): void;
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
    await pool.say(`notify ${channel}`).catch(() => {});
  }

  return {
    soon() {
      timer ??= setTimeout(() => void notify(), postgresLimits.notifyMs).unref();
    },
    async flush() {
      if (timer === undefined) return;
      clearTimeout(timer);
      await notify();
    },
  };
}
