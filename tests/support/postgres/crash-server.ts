import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { copyBinaries, createClusterFolder } from './binaries.ts';
import { changeOwner, findUser, waitUntilReady } from './server-process.ts';
import { asAdmin, createTestLogin, testLogin, withAddress } from './test-login.ts';

/** A PostgreSQL server of one test, which the test may crash. */
export interface CrashServer {
  /** For the program, like the URL of a test database. */
  readonly url: string;
  /** Ends all server processes without a shutdown: the next start recovers from the log, as after a power failure. */
  crash(): Promise<void>;
  restart(): Promise<void>;
  remove(): Promise<void>;
}

const settings = ['listen_addresses=', 'max_connections=100', 'shared_buffers=32MB'];

export async function startCrashServer(): Promise<CrashServer> {
  const user = findUser();
  const home = createClusterFolder(user !== undefined);
  copyBinaries(home);
  mkdirSync(join(home, 'run'));
  if (user !== undefined) changeOwner(user, home);
  chmodSync(home, 0o700);
  const options = { ...user, cwd: home, env: { LC_ALL: 'C', PATH: process.env['PATH'] } };
  const data = join(home, 'data');
  const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '-N'];
  execFileSync(join(home, 'bin', 'initdb'), initdb, { ...options, stdio: 'ignore' });
  const args = ['-D', data, '-k', join(home, 'run'), ...settings.flatMap((setting) => ['-c', setting])];
  let server: ChildProcess | undefined;

  async function restart(): Promise<void> {
    server = spawn(join(home, 'bin', 'postgres'), args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    await waitUntilReady(server);
  }

  async function crash(): Promise<void> {
    if (server === undefined) return;
    const ended = once(server, 'exit');
    server.kill('SIGQUIT');
    await ended;
    server = undefined;
  }

  await restart();
  const adminUrl = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(join(home, 'run'))}`;
  await createTestLogin(adminUrl);
  await asAdmin(adminUrl, (client) => client.query(`create database crashed owner ${testLogin.name}`));
  return {
    url: withAddress(adminUrl, { user: testLogin.name, password: testLogin.password, database: 'crashed' }),
    crash,
    restart,
    async remove() {
      await crash();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
