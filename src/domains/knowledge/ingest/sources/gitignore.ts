import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { knowledgeLimits } from '../../knowledge-limits.ts';
import { type GlobStep, matchesGlob, parseGlob, plainLength } from './gitignore-glob.ts';

interface IgnoreRule {
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
  /** A pattern without a slash matches the name at any depth. */
  readonly isForNames: boolean;
  /** The literal prefix. */
  readonly plain: string;
  readonly steps: readonly GlobStep[];
}

/** git compares bytes: `?` matches one byte, even inside a multi-byte character. */
const toBytes = (text: string): string => Buffer.from(text).toString('latin1');
const byteOrderMark = toBytes('\ufeff');

/** Trailing blanks are removed unless escaped with a backslash. */
function withoutBlanks(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === ' ') continue;
    if (line[at] === '\\') at += 1;
    end = at + 1;
  }
  return line.slice(0, end);
}

function parseRule(line: string): IgnoreRule | undefined {
  if (line === '' || line.startsWith('#')) return undefined;
  let pattern = withoutBlanks(line);
  const isNegated = pattern.startsWith('!');
  if (isNegated) pattern = pattern.slice(1);
  const isForFolders = pattern.endsWith('/');
  if (isForFolders) pattern = pattern.slice(0, -1);
  if (pattern === '') return undefined;
  const isForNames = !pattern.includes('/');
  if (pattern.startsWith('/')) pattern = pattern.slice(1);
  const plain = pattern.slice(0, plainLength(pattern));
  // The rest is parsed on its own, as in git: `a**/b` behaves as if a slash preceded the stars.
  const steps = parseGlob(pattern.slice(plain.length));
  return steps === undefined ? undefined : { isNegated, isForFolders, isForNames, plain, steps };
}

/**
 * Whether the lines ignore a path relative to the file; undefined if no line matches. Later lines win. `spend` is called
 * with the cost of each match before it runs.
 */
function parseIgnoreRules(bytes: Buffer, spend: (stepsCount: number) => void) {
  const text = bytes.toString('latin1');
  const rules = (text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text)
    .split('\n')
    .map((line) => parseRule(line.endsWith('\r') ? line.slice(0, -1) : line))
    .filter((rule) => rule !== undefined)
    .toReversed();
  return (path: string, isFolder: boolean): boolean | undefined => {
    const whole = toBytes(path);
    const name = whole.slice(whole.lastIndexOf('/') + 1);
    const found = rules.find(({ isForFolders, isForNames, plain, steps }) => {
      const held = isForNames ? name : whole;
      spend(1 + steps.length * held.length);
      if ((isForFolders && !isFolder) || !held.startsWith(plain)) return false;
      const rest = held.slice(plain.length);
      return steps.length === 0 ? rest === '' : matchesGlob(steps, rest);
    });
    return found === undefined ? undefined : !found.isNegated;
  };
}

/** Follows no links and does not block on pipes. Undefined if it is not a regular file. */
async function readPlainFile(path: string, bytesMax: number): Promise<Buffer | undefined> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(path, flags).catch(() => undefined);
  try {
    const facts = await handle?.stat();
    if (handle === undefined || facts?.isFile() !== true) return undefined;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(facts.size, bytesMax + 1)), { position: 0 });
    return buffer.subarray(0, bytesRead);
  } catch {
    return undefined;
  } finally {
    await handle?.close();
  }
}

/** The `.gitignore` files of a folder and its subfolders; those above it are ignored. */
export function createGitignore(top: string) {
  const { ignoreBytes, ignoreStepsCount } = knowledgeLimits;
  const rulesOf = new Map<string, ReturnType<typeof parseIgnoreRules>>();
  const left = { bytes: ignoreBytes, steps: ignoreStepsCount };
  const tooMuch = (limit: number, unit: string) => faults.RESOURCE_LIMIT({ what: 'The .gitignore files', limit, unit });

  function spend(stepsCount: number): void {
    left.steps -= stepsCount;
    if (left.steps < 0) throw tooMuch(ignoreStepsCount, 'steps');
  }

  return {
    /** Must be called before paths in the folder are tested; '' is the top. */
    async enter(folder: string) {
      const bytes = await readPlainFile(join(top, folder, '.gitignore'), left.bytes);
      if (bytes === undefined) return;
      left.bytes -= bytes.length;
      if (left.bytes < 0) throw tooMuch(ignoreBytes, 'bytes');
      rulesOf.set(folder, parseIgnoreRules(bytes, spend));
    },
    /** For a path whose parent folders are not ignored. */
    ignores(path: string, isFolder: boolean): boolean {
      for (let at = path; at !== '.'; ) {
        at = dirname(at);
        const [folder, below] = at === '.' ? ['', path] : [at, path.slice(at.length + 1)];
        const verdict = rulesOf.get(folder)?.(below, isFolder);
        if (verdict !== undefined) return verdict;
      }
      return false;
    },
  };
}
