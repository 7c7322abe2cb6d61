import { matchesGlob, parseGlob, plainLength, type Step } from './match-glob.ts';

/** One line of a `.gitignore`. */
interface Rule {
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
  /** Without a slash inside: held against the name alone, however deep it lies. */
  readonly isForNames: boolean;
  /** As far as there are no signs. */
  readonly plain: string;
  readonly steps: readonly Step[];
}

/** git compares bytes: `?` is one of them, also in the middle of a letter. */
const toBytes = (text: string): string => Buffer.from(text).toString('latin1');
const byteOrderMark = toBytes('\ufeff');

/** Blanks at the end do not count, but for one behind a backslash. */
function withoutBlanks(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === ' ') continue;
    if (line[at] === '\\') at += 1;
    end = at + 1;
  }
  return line.slice(0, end);
}

function parseRule(line: string): Rule | undefined {
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
  // What stands behind the plain part begins anew: `a**/b` is read as if there were a slash before the stars.
  const steps = parseGlob(pattern.slice(plain.length));
  return steps === undefined ? undefined : { isNegated, isForFolders, isForNames, plain, steps };
}

/** What one `.gitignore` says. */
export interface IgnoreRules {
  /** Of a path from where the file lies; undefined: it says nothing. */
  judge(path: string, isFolder: boolean): boolean | undefined;
}

/** Later lines come before earlier ones. `spend` is told what each look costs, before it is taken. */
export function parseIgnoreRules(bytes: Buffer, spend: (stepsCount: number) => void): IgnoreRules {
  const text = bytes.toString('latin1');
  const rules = (text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text)
    .split('\n')
    .map((line) => parseRule(line.endsWith('\r') ? line.slice(0, -1) : line))
    .filter((rule) => rule !== undefined)
    .toReversed();
  return {
    judge(path, isFolder) {
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
    },
  };
}
