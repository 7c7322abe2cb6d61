/**
 * Runs one PostgreSQL server while its standard input is open. It is a separate process because it must clean up after
 * its owner, even if the owner is killed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { copyBinaries, createClusterFolder } from './binaries.ts';
import { changeOwner, findUser, waitUntilReady } from './server-process.ts';

async function runToEnd(child: ChildProcess, what: string): Promise<void> {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${what} ended with ${code}: ${output.trim()}`);
}

async function runCluster(): Promise<void> {
  if (process.platform === 'win32') throw new Error('on Windows set FOURFOLD_TEST_DATABASE_URL');
  const user = findUser();
  const home = createClusterFolder(user !== undefined);
  let child: ChildProcess | undefined;
  const stop = async () => {
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      // Its data is not needed any more, so take the quickest way down.
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
    if (user !== undefined) changeOwner(user, home);
    // The permissions of the socket folder are the only access control.
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
    await waitUntilReady(child);
    const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(join(home, 'run'))}`;
    process.stdout.write(`${JSON.stringify({ url })}\n`);
  } catch (error) {
    process.stdout.write(`${JSON.stringify({ error: (error as Error).message })}\n`);
    await stop();
    process.exit(1);
  }
}

await runCluster();
