import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { programFile } from './processes.ts';

const run = promisify(execFile);

/** Runs one command and returns its output. */
export async function runProgram(args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await run(process.execPath, [programFile, ...args], { env: { ...process.env, ...env } });
  return stdout;
}
