import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { knowledgeLimits } from '../../../knowledge-limits.ts';
import { type IgnoreRules, parseIgnoreRules } from './ignore-rules.ts';

/** A plain file; no link is followed and no pipe waited for. Undefined: there is none. */
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

/** What the `.gitignore` files of a folder and of those in it leave out; those above it are not asked. */
export interface IgnoredFiles {
  /** Before anything in the folder is asked about; '' is the top. */
  enter(folder: string): Promise<void>;
  /** Of a path whose folders are not ignored themselves. */
  has(path: string, isFolder: boolean): boolean;
}

export function createIgnoredFiles(top: string): IgnoredFiles {
  const { ignoreBytes, ignoreStepsCount } = knowledgeLimits;
  const rulesOf = new Map<string, IgnoreRules>();
  const left = { bytes: ignoreBytes, steps: ignoreStepsCount };
  const tooMuch = (limit: number, unit: string) =>
    faults.RESOURCE_LIMIT({ what: 'What .gitignore files say', limit, unit });

  function spend(stepsCount: number): void {
    left.steps -= stepsCount;
    if (left.steps < 0) throw tooMuch(ignoreStepsCount, 'steps');
  }

  return {
    async enter(folder) {
      const bytes = await readPlainFile(join(top, folder, '.gitignore'), left.bytes);
      if (bytes === undefined) return;
      left.bytes -= bytes.length;
      if (left.bytes < 0) throw tooMuch(ignoreBytes, 'bytes');
      rulesOf.set(folder, parseIgnoreRules(bytes, spend));
    },
    has(path, isFolder) {
      for (let at = path; at !== '.'; ) {
        at = dirname(at);
        const [folder, below] = at === '.' ? ['', path] : [at, path.slice(at.length + 1)];
        const verdict = rulesOf.get(folder)?.judge(below, isFolder);
        if (verdict !== undefined) return verdict;
      }
      return false;
    },
  };
}
