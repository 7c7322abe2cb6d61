import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const builtFile = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** The built program; `npm test` builds it before the tests run. */
export const programFile = builtFile('dist/main.js');
/** The same with the tools of `tests/support/probe`. */
export const probeFile = builtFile('.cache/probe/dist/main.js');

export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Settings of this machine must not reach the program under test. */
export const cleanEnv = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('FOURFOLD_')));

export function makeFolder(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'fourfold-program-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export interface Served {
  readonly url: string;
  readonly key: string;
  /** Signs one browser in. */
  readonly link: string;
  readonly child: ChildProcessWithoutNullStreams;
  stop(): Promise<void>;
}

type Env = Readonly<Record<string, string>>;

function startersOf(file: string) {
  /** Runs one command. `input` is written to its stdin, which is then closed. */
  function runProgram(args: readonly string[], env: Env, input = '', cwd = tmpdir()): Promise<Run> {
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [file, ...args],
        { cwd, env: { ...cleanEnv(), ...env }, maxBuffer: 64 * 1024 * 1024 },
        (error, stdout, stderr) =>
          resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, stdout, stderr }),
      );
      child.stdin?.on('error', () => {});
      child.stdin?.end(input);
    });
  }

  const startProgram = (args: readonly string[], env: Env): ChildProcessWithoutNullStreams =>
    spawn(process.execPath, [file, ...args], { env: { ...cleanEnv(), ...env }, stdio: 'pipe' });

  /** Runs `fourfold serve` on a free port; the first start prints a key. */
  async function serveProgram(env: Env, args: readonly string[] = []): Promise<Served> {
    const child = startProgram(['serve', '--port', '0', ...args], env);
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const text = await new Promise<string>((resolve, reject) => {
      let stdout = '';
      let stderr = '';
      child.stderr.on('data', (chunk: Buffer) => {
        stderr += chunk.toString();
      });
      child.stdout.on('data', (chunk: Buffer) => {
        stdout += chunk.toString();
        if (stdout.includes('Connect a client')) resolve(stdout);
      });
      child.once('exit', (code) => reject(new Error(`serve ended with ${code}: ${stderr}`)));
    });
    const url = /http:\/\/\S+/.exec(text)?.[0] ?? '';
    const key = /ff_\S+/.exec(text)?.[0] ?? '';
    const link = /http\S+#ffl_\S+/.exec(text)?.[0] ?? '';
    return {
      url,
      key,
      link,
      child,
      async stop() {
        child.kill('SIGTERM');
        await ended;
      },
    };
  }

  return { runProgram, startProgram, serveProgram };
}

export const { runProgram, startProgram, serveProgram } = startersOf(programFile);
export const probeProgram = startersOf(probeFile);
