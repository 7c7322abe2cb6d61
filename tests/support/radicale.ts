import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findDebianPackage } from './debian-packages.ts';

export const radicalePackage = await findDebianPackage('radicale', ['radicale']);

export interface TestRadicale {
  readonly url: string;
  /** A request of the user, which must succeed. */
  send(method: string, path: string, body?: string): Promise<void>;
  /** Forgets all sync tokens, as servers do after some time. */
  expireTokens(): void;
  stop(): Promise<void>;
}

const toConfig = (folder: string): string =>
  [
    ...['[server]', 'hosts = 127.0.0.1:0', '[logging]', 'level = info', '[web]', 'type = none'],
    ...['[auth]', 'type = htpasswd', `htpasswd_filename = ${join(folder, 'users')}`],
    ...['htpasswd_encryption = plain', 'delay = 0', '[storage]', `filesystem_folder = ${join(folder, 'data')}`],
  ].join('\n');

/** A real CalDAV server on loopback, with one account. */
export async function startRadicale(folder: string, user: string, password: string): Promise<TestRadicale> {
  const { programs, reason } = radicalePackage;
  if (programs === undefined) throw new Error(reason);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'users'), `${user}:${password}\n`);
  writeFileSync(join(folder, 'config'), toConfig(folder));
  const child = spawn(programs.radicale, ['-C', join(folder, 'config')], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  let [port, printed] = ['', ''];
  for await (const line of createInterface({ input: child.stderr })) {
    printed += `${line}\n`;
    port = /Listening on '\[?127\.0\.0\.1\]?:(\d+)'/.exec(line)?.[1] ?? port;
    if (line.includes('server ready')) break;
  }
  if (port === '') throw new Error(`Radicale did not start: ${printed}`);
  // A full pipe would block it.
  child.stderr.resume();
  const url = `http://127.0.0.1:${port}`;
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  return {
    url,
    async send(method, path, body) {
      const answer = await fetch(url + path, { method, headers: { authorization }, ...(body && { body }) });
      if (!answer.ok) throw new Error(`${method} ${path} answered with ${answer.status}: ${await answer.text()}`);
    },
    expireTokens() {
      const data = join(folder, 'data');
      for (const name of readdirSync(data, { recursive: true, encoding: 'utf8' }))
        if (name.endsWith('sync-token')) rmSync(join(data, name), { recursive: true });
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
