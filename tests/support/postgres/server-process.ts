import type { ChildProcess } from 'node:child_process';
import { chownSync, lchownSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root, so it runs as a user that exists on every system. */
export function findUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody', 'daemon']) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(':');
    if (fields !== undefined) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new Error('root has no unprivileged user to run PostgreSQL as: set FOURFOLD_TEST_DATABASE_URL');
}

export function changeOwner({ uid, gid }: User, folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, entry), uid, gid);
  chownSync(folder, uid, gid);
}

/** Resolves when the server accepts connections. Rejects with its output if it ends before. */
export function waitUntilReady(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const output: string[] = [];
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`postgres ended with ${code}: ${output.join('\n')}`)));
    createInterface({ input: server.stderr! }).on('line', (line) => {
      if (output.length < 50) output.push(line);
      if (line.includes('database system is ready to accept connections')) resolve();
    });
  });
}
