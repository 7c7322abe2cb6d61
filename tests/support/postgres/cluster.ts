import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { nodeFlags } from './node-flags.ts';
import { makeTestLogin } from './test-login.ts';

/** A server for tests. `url` is a superuser's. */
export interface Cluster {
  readonly url: string;
  /** Nothing of it remains after the run, so nothing in it has to be cleaned up. */
  readonly isOurs: boolean;
  stop(): Promise<void>;
}

async function firstLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) return line;
  throw new Error('the PostgreSQL keeper ended without a word');
}

/** The server that FOURFOLD_TEST_DATABASE_URL names, or else one of our own. Throws when there is neither. */
export async function startCluster(configuredUrl: string | undefined): Promise<Cluster> {
  const cluster = configuredUrl ? { url: configuredUrl, isOurs: false, stop: async () => {} } : await startKeeper();
  try {
    await makeTestLogin(cluster.url);
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

async function startKeeper(): Promise<Cluster> {
  const script = fileURLToPath(new URL('./keeper.ts', import.meta.url));
  // In a session of its own: an interrupt from the terminal must reach it only through us, after the tests have ended.
  const keeper = spawn(process.execPath, [...nodeFlags, script], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const { url, error } = JSON.parse(await firstLine(keeper)) as { url?: string; error?: string };
  if (url === undefined) throw new Error(`PostgreSQL could not be started: ${error}`);
  return {
    url,
    isOurs: true,
    async stop() {
      const ended = once(keeper, 'exit');
      keeper.stdin.end();
      await ended;
    },
  };
}
