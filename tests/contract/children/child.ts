import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { nodeFlags } from '#tests/support/postgres/node-flags.ts';

/** A process that runs one of the scripts of this folder. */
export interface Child {
  /** Its output line by line, without an incomplete last line. */
  readonly lines: Interface;
  writeLine(line: string): void;
  kill(): void;
  /** Its exit code, or null if it was killed. */
  ended(): Promise<number | null>;
}

export function startChild(script: URL, ...args: string[]): Child {
  const file = fileURLToPath(script);
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(process.execPath, [...nodeFlags, file, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.on('error', () => {});
  const ended = once(child, 'close');
  return {
    lines: createInterface({ input: child.stdout }),
    writeLine: (line) => void child.stdin.write(`${line}\n`),
    kill: () => void child.kill('SIGKILL'),
    ended: async () => ((await ended) as [number | null])[0],
  };
}
