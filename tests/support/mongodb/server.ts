/** Starts PostgreSQL with the DocumentDB extension on a data folder. Whoever starts it ends it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, lchownSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** The unpacked packages, and the folder that has `data` and the socket. */
export interface Places {
  readonly packages: string;
  readonly home: string;
}

/** PostgreSQL refuses to run as root: then it runs as a user that is on every system. */
export function findUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody', 'daemon']) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(':');
    if (fields !== undefined) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new Error('root has no unprivileged user to run PostgreSQL as');
}

export function giveToUser(folder: string): void {
  const user = findUser();
  if (user === undefined) return;
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, entry), user.uid, user.gid);
  chownSync(folder, user.uid, user.gid);
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

/** Resolves when the server takes connections; rejects with what it said when it ends before. */
function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const said: string[] = [];
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`postgres ended with ${code}: ${said.join('\n')}`)));
    createInterface({ input: server.stderr! }).on('line', (line) => {
      if (said.length < 50) said.push(line);
      if (line.includes('database system is ready to accept connections')) resolve();
    });
  });
}

export interface Server {
  readonly url: string;
  /** `smart` waits until everything is in the files, `quick` does not care. */
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
    // The extension makes its tables over a connection of its own.
    `documentdb.localhost_connection_string=host=${home}`,
    'documentdb.useFileBasedPersistedCursors=on',
    'documentdb_core.enableCollation=on',
  ];
  const args = ['-D', join(home, 'data'), '-k', home, ...settings.flatMap((setting) => ['-c', setting])];
  const child = start(places, 'postgres', args);
  await ready(child);
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
