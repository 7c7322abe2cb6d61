/**
 * Runs one PostgreSQL server for as long as its standard input is open. A process of its own, because it has to outlive
 * whoever asked for it by exactly as long as cleaning up takes, also when that one is killed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, lchownSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { copyBinaries, makeHome } from './binaries.ts';

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root: then it runs as a user that is on every system. */
function findUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody', 'daemon']) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(':');
    if (fields !== undefined) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new Error('root has no unprivileged user to run PostgreSQL as: set FOURFOLD_TEST_DATABASE_URL');
}

function giveTo({ uid, gid }: User, folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, entry), uid, gid);
  chownSync(folder, uid, gid);
}

async function runToEnd(child: ChildProcess, what: string): Promise<void> {
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${what} ended with ${code}: ${said.trim()}`);
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

async function keep(): Promise<void> {
  if (process.platform === 'win32') throw new Error('on Windows set FOURFOLD_TEST_DATABASE_URL');
  const user = findUser();
  const home = makeHome(user !== undefined);
  let child: ChildProcess | undefined;
  const stop = async () => {
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      // Nothing in it is wanted any more: the quickest way down.
      child.kill('SIGQUIT');
      await once(child, 'exit');
    }
    rmSync(home, { recursive: true, force: true });
  };
  const stopAndExit = () => void stop().finally(() => process.exit());
  process.stdin.on('end', stopAndExit).on('error', stopAndExit).resume();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stopAndExit);
  try {
    copyBinaries(home);
    mkdirSync(join(home, 'run'));
    if (user !== undefined) giveTo(user, home);
    // Whoever may enter the folder of the socket is trusted.
    chmodSync(home, 0o700);
    const options = { ...user, cwd: home, env: { LC_ALL: 'C', PATH: process.env['PATH'] } };
    const data = join(home, 'data');
    const initdb = [
      '-D',
      data,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--no-locale',
      '-N',
      '--no-instructions',
    ];
    child = spawn(join(home, 'bin', 'initdb'), initdb, options);
    await runToEnd(child, 'initdb');
    const settings = [
      'listen_addresses=',
      'max_connections=300',
      'shared_buffers=64MB',
      'max_wal_size=4GB',
      'deadlock_timeout=50ms',
    ];
    child = spawn(
      join(home, 'bin', 'postgres'),
      ['-D', data, '-k', join(home, 'run'), ...settings.flatMap((setting) => ['-c', setting])],
      { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    await ready(child);
    const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(join(home, 'run'))}`;
    process.stdout.write(`${JSON.stringify({ url })}\n`);
  } catch (error) {
    process.stdout.write(`${JSON.stringify({ error: (error as Error).message })}\n`);
    await stop();
    process.exit(1);
  }
}

await keep();
