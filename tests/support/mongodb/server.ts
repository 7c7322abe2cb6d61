/** Starts PostgreSQL with the DocumentDB extension on a data folder. The caller must stop it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { changeOwner, findUser, waitUntilReady } from '../postgres/server-process.ts';

/** The unpacked packages, and the folder with `data` and the socket. */
export interface Places {
  readonly packages: string;
  readonly home: string;
}

export function giveToUser(folder: string): void {
  const user = findUser();
  if (user !== undefined) changeOwner(user, folder);
}

const start = ({ packages, home }: Places, program: string, args: readonly string[]): ChildProcess =>
  spawn(join(packages, 'usr/lib/postgresql/18/bin', program), args, {
    ...findUser(),
    cwd: home,
    env: { LC_ALL: 'C', PATH: process.env['PATH'] },
    stdio: ['ignore', 'ignore', 'pipe'],
  });

export async function makeData(places: Places): Promise<void> {
  mkdirSync(places.home, { recursive: true });
  giveToUser(places.home);
  const kind = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '-N', '--wal-segsize=2'];
  const child = start(places, 'initdb', ['-D', join(places.home, 'data'), ...kind]);
  const said: string[] = [];
  createInterface({ input: child.stderr! }).on('line', (line) => said.push(line));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`initdb ended with ${code}: ${said.join('\n')}`);
}

export interface Server {
  readonly url: string;
  /** `smart` flushes everything, `quick` does not. */
  stop(how: 'smart' | 'quick'): Promise<void>;
}

export async function startServer(places: Places): Promise<Server> {
  const { home } = places;
  const settings = [
    'listen_addresses=',
    'fsync=off',
    'jit=off',
    'max_connections=100',
    'shared_preload_libraries=pg_cron,pg_documentdb_core,pg_documentdb',
    'cron.database_name=postgres',
    `cron.host=${home}`,
    // The extension creates its tables over a separate connection.
    `documentdb.localhost_connection_string=host=${home}`,
    'documentdb.useFileBasedPersistedCursors=on',
    'documentdb_core.enableCollation=on',
  ];
  const args = ['-D', join(home, 'data'), '-k', home, ...settings.flatMap((setting) => ['-c', setting])];
  const child = start(places, 'postgres', args);
  await waitUntilReady(child);
  return {
    url: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(home)}`,
    async stop(how) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(how === 'smart' ? 'SIGINT' : 'SIGQUIT');
      await ended;
    },
  };
}
