import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The built program, as `npm test` builds it before the tests run. */
export const programFile = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The machine's own settings must not reach a program under test. */
const cleanEnv = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('FOURFOLD_')));

export function makeFolder(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'fourfold-program-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Runs one command to its end. `input` goes to its stdin, which is then closed. */
export function runProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
  cwd = tmpdir(),
): Promise<Run> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [programFile, ...args],
      { cwd, env: { ...cleanEnv(), ...env }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, stdout, stderr }),
    );
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

export const startProgram = (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): ChildProcessWithoutNullStreams =>
  spawn(process.execPath, [programFile, ...args], { env: { ...cleanEnv(), ...env }, stdio: 'pipe' });

export interface Served {
  readonly url: string;
  readonly key: string;
  readonly child: ChildProcessWithoutNullStreams;
  stop(): Promise<void>;
}

/** `fourfold serve` on a free port; the first start prints a key. */
export async function serveProgram(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<Served> {
  const child = startProgram(['serve', '--port', '0', ...args], env);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const text = await new Promise<string>((resolve, reject) => {
    let said = '';
    let complained = '';
    child.stderr.on('data', (chunk: Buffer) => {
      complained += chunk.toString();
    });
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('Connect a client')) resolve(said);
    });
    child.once('exit', (code) => reject(new Error(`serve ended with ${code}: ${complained}`)));
  });
  const url = /http:\/\/\S+/.exec(text)?.[0] ?? '';
  const key = /ff_\S+/.exec(text)?.[0] ?? '';
  return {
    url,
    key,
    child,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
