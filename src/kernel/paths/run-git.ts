import { spawn } from 'node:child_process';
import { devNull } from 'node:os';
import { dirname } from 'node:path';

/**
 * The configuration of a repository may name programs that git starts. Reading a tree and a log needs none of them, and
 * these switch off each one that could run: hooks, the file monitor, the pager, the check of signatures, and the fetch
 * of objects that a partial clone lacks.
 */
const safeOptions = [
  '--no-pager',
  '--no-optional-locks',
  ...['-c', `core.hooksPath=${devNull}`, '-c', 'core.fsmonitor=false', '-c', 'core.pager=', '-c', 'log.follow=false'],
  ...['-c', 'log.showSignature=false', '-c', 'safe.bareRepository=explicit'],
];

/** Nothing of our own environment, and no configuration but that of the repository. */
const safeEnvironment = (program: string): NodeJS.ProcessEnv => ({
  PATH: dirname(program),
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: devNull,
  GIT_ATTR_NOSYSTEM: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
});

export interface GitRun {
  /** The path of git; see `findProgram`. */
  readonly program: string;
  readonly folder: string;
  readonly args: readonly string[];
  readonly stdin?: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly outputBytes: number;
}

/** The output, or undefined if git fails, takes too long or writes too much. Runs no program of the repository. */
export function runGit({ program, folder, args, stdin, signal, timeoutMs, outputBytes }: GitRun) {
  return new Promise<string | undefined>((resolve) => {
    const child = spawn(program, [...safeOptions, '-C', folder, ...args], {
      // On Windows, programs are also searched in the working directory.
      cwd: dirname(program),
      env: safeEnvironment(program),
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      windowsHide: true,
      signal,
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > outputBytes) child.kill('SIGKILL');
      else chunks.push(chunk);
    });
    child.on('error', () => resolve(undefined));
    child.on('close', (code) => resolve(code === 0 ? Buffer.concat(chunks).toString('utf8') : undefined));
    // Git may end before it has read everything; `close` has the exit code.
    child.stdin.on('error', () => {}).end(stdin ?? '');
  });
}
