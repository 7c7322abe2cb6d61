import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './tree.ts';

/** These tools exit with 1 if they find something. Without a report the tool did not run. */
function reportOf(error: unknown): string {
  if (error instanceof Error && 'stdout' in error && String(error.stdout).startsWith('{')) return String(error.stdout);
  throw error;
}

interface ToolRun {
  /** Relative to `node_modules`. */
  readonly script: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a tool on a fixture tree and returns the JSON that it prints. */
export async function runTool(
  { script, args, env }: ToolRun,
  files: Readonly<Record<string, string>>,
): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'fourfold-fixture-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const command = [join(root, 'node_modules', script), ...args];
    const options = { cwd: folder, env: { ...process.env, ...env } };
    const report = await promisify(execFile)(process.execPath, command, options).then(({ stdout }) => stdout, reportOf);
    return JSON.parse(report);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
