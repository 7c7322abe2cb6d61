import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The launcher, as users start it: it sets V8 flags and the compile cache. */
export const programFile = join(root, 'bin', 'fourfold.js');
/** The same for the program with the tools of `tests/support/probe`. */
export const probeFile = join(root, '.cache', 'probe', 'bin', 'fourfold.js');
export const distFolder = join(root, 'dist');
export const baselineFile = (name: string): string => join(root, 'bench', 'baselines', name);

export interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  stop(): Promise<void>;
}

export function start(file: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Started {
  const child = spawn(process.execPath, [file, ...args], { env: { ...process.env, ...env }, stdio: 'pipe' });
  child.stderr.resume();
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    child,
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 3_000);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** A separate data folder for one measurement. */
export function makeHome(): { readonly home: string; readonly env: Readonly<Record<string, string>>; remove(): void } {
  const home = mkdtempSync(join(tmpdir(), 'fourfold-bench-'));
  return {
    home,
    env: {
      FOURFOLD_HOME: home,
      FOURFOLD_LOG_LEVEL: 'error',
      FOURFOLD_RATE_LIMITS: '0',
      XDG_CACHE_HOME: join(home, 'cache'),
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

const ticksPerSecond = 100;

/** CPU time of a process so far; 0 if the system does not report it. */
export function cpuMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
  } catch {
    return 0;
  }
}

export function rssMb(pid: number): number {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
    return (pages * 4096) / 1e6;
  } catch {
    return 0;
  }
}

export const firstLine = (child: ChildProcessWithoutNullStreams): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const end = text.indexOf('\n');
      if (end >= 0) resolve(text.slice(0, end));
    });
    child.once('exit', (code) => reject(new Error(`ended with ${code} before its first line`)));
  });

const run = promisify(execFile);

/** Runs one command of the program to its end and returns its output. */
export async function runProgram(args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await run(process.execPath, [programFile, ...args], { env: { ...process.env, ...env } });
  return stdout;
}
