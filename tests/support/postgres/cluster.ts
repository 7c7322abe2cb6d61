import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { nodeFlags } from './node-flags.ts';
import { createTestLogin } from './test-login.ts';

/** A server for tests, with the URL of a superuser. */
export interface Cluster {
  readonly url: string;
  /** True if the server is deleted after the run, so that tests need not clean up. */
  readonly isTemporary: boolean;
  stop(): Promise<void>;
}

async function firstLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) return line;
  throw new Error('the PostgreSQL process ended without output');
}

/** The server at FOURFOLD_TEST_DATABASE_URL, or else a new one. Throws if there is neither. */
export async function startCluster(configuredUrl: string | undefined): Promise<Cluster> {
  const cluster = configuredUrl
    ? { url: configuredUrl, isTemporary: false, stop: async () => {} }
    : await startClusterProcess();
  try {
    await createTestLogin(cluster.url);
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

async function startClusterProcess(): Promise<Cluster> {
  const script = fileURLToPath(new URL('./cluster-process.ts', import.meta.url));
  // Detached, so that an interrupt from the terminal reaches it only through us, after the tests have ended.
  const clusterProcess = spawn(process.execPath, [...nodeFlags, script], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const { url, error } = JSON.parse(await firstLine(clusterProcess)) as { url?: string; error?: string };
  if (url === undefined) throw new Error(`PostgreSQL could not be started: ${error}`);
  return {
    url,
    isTemporary: true,
    async stop() {
      const ended = once(clusterProcess, 'exit');
      clusterProcess.stdin.end();
      await ended;
    },
  };
}
