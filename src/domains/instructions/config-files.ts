import { constants, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { toPointer } from '#kernel/json/is-object.ts';
import { scanJson } from '#kernel/json/scan.ts';

type Issue = z.core.$ZodIssue;

const firstOf = (issues: readonly Issue[]): Issue | undefined => issues[0];

/** For a union, picks the member whose first issue is deepest: the one the author most likely meant. */
function innermost(issue: Issue, path: readonly PropertyKey[]): { issue: Issue; path: readonly PropertyKey[] } {
  const here = [...path, ...issue.path];
  if (issue.code !== 'invalid_union') return { issue, path: here };
  let best: { issue: Issue; path: readonly PropertyKey[] } = { issue, path: here };
  for (const member of issue.errors) {
    const first = firstOf(member);
    if (first === undefined) continue;
    const found = innermost(first, here);
    if (found.path.length > best.path.length) best = found;
  }
  return best;
}

/** The path and the first issue there: `/where/status Invalid option: …`. */
export function describeIssue(error: z.ZodError): string {
  const first = firstOf(error.issues);
  if (first === undefined) return 'is not valid';
  const { issue, path } = innermost(first, []);
  return path.length === 0 ? issue.message : `${toPointer(path)} ${issue.message}`;
}

export const configFileLimits = {
  /** Fits a manifest of a hundred thousand entries. */
  configFileBytes: 32 * 1024 * 1024,
  configFileDepth: 32,
} as const;

/** Reads a config file that people edit; undefined when it does not exist. */
export type ReadConfigFile = (name: string, call: Call) => Promise<string | undefined>;

const invalidFile = (name: string, why: string) => faults.VALIDATION_ERROR({ why: `${name} ${why}` }, { file: name });

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');

/** Every write asks for these files and most do not exist: a stat is cheaper than a failed open. */
function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/** Opens without blocking and reads regular files only: opening a FIFO would wait forever. */
async function readPlainFile(name: string, path: string): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw invalidFile(name, 'cannot be opened');
  });
  if (file === undefined) return undefined;
  try {
    const { size, isPlain } = await file.stat().then((stat) => ({ size: stat.size, isPlain: stat.isFile() }));
    if (!isPlain) throw invalidFile(name, 'is not a regular file');
    if (size > configFileLimits.configFileBytes) {
      throw invalidFile(name, `has more than ${configFileLimits.configFileBytes} bytes`);
    }
    const bytes = await file.readFile();
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw invalidFile(name, error instanceof TypeError ? 'is not UTF-8' : 'cannot be read');
  } finally {
    await file.close();
  }
}

/** `pathOf` returns undefined when the caller has no such file. */
export const createConfigFiles =
  (pathOf: (name: string, call: Call) => string | undefined): ReadConfigFile =>
  async (name, call) => {
    const path = pathOf(name, call);
    return path === undefined || !exists(path) ? undefined : readPlainFile(name, path);
  };

export function parseConfig(name: string, text: string): unknown {
  if (scanJson(Buffer.from(text), configFileLimits.configFileDepth) !== 'ok') {
    throw invalidFile(name, `nests deeper than ${configFileLimits.configFileDepth} levels`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidFile(name, `is not valid JSON: ${error instanceof Error ? error.message : ''}`);
  }
}
