/** ASCII classes of POSIX. Each pair of characters is a range. */
const namedClasses: ReadonlyMap<string, string> = new Map([
  ['upper', 'AZ'],
  ['lower', 'az'],
  ['digit', '09'],
  ['alpha', 'AZaz'],
  ['alnum', 'AZaz09'],
  ['xdigit', '09AFaf'],
  ['punct', '!/:@[`{~'],
  ['graph', '!~'],
  ['print', ' ~'],
  ['blank', '  \t\t'],
  ['space', '  \t\r'],
  ['cntrl', '\0\x1f\x7f\x7f'],
]);

/**
 * Parses `[a-z]`, `[!a]` or `[[:digit:]]` from the bracket at `at`. Undefined if the set is not closed or names an
 * unknown class. As in git, a closing bracket in first place and a dash at either end are literal.
 */
function parseCharacterSet(pattern: string, at: number) {
  const codes = new Set<number>();
  const add = (from: string, to: string): void => {
    for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code += 1) codes.add(code);
  };
  const isNegated = pattern[at + 1] === '!' || pattern[at + 1] === '^';
  const first = at + (isNegated ? 2 : 1);
  /** The possible start of a range. */
  let before: string | undefined;
  for (let i = first; i < pattern.length; i += 1) {
    let char = pattern[i]!;
    if (char === ']' && i > first) return { isNegated, codes, end: i + 1 };
    const isRange = char === '-' && before !== undefined && i + 1 < pattern.length && pattern[i + 1] !== ']';
    if (isRange) {
      i += 1;
      if (pattern[i] === '\\') i += 1;
      if (i >= pattern.length) return undefined;
      add(before!, pattern[i]!);
      before = undefined;
      continue;
    }
    if (char === '[' && pattern[i + 1] === ':') {
      const close = pattern.indexOf(']', i + 2);
      if (close === -1) return undefined;
      if (close > i + 2 && pattern[close - 1] === ':') {
        const ranges = namedClasses.get(pattern.slice(i + 2, close - 1));
        if (ranges === undefined) return undefined;
        for (let range = 0; range < ranges.length; range += 2) add(ranges[range]!, ranges[range + 1]!);
        before = undefined;
        i = close;
        continue;
      }
    }
    if (char === '\\') {
      i += 1;
      if (i >= pattern.length) return undefined;
      char = pattern[i]!;
    }
    add(char, char);
    before = char;
  }
  return undefined;
}

/** `fork` consumes nothing: it continues after itself, or after the two steps that follow. */
export type GlobStep =
  | { readonly kind: 'char'; readonly code: number }
  | { readonly kind: 'one'; readonly has: (code: number) => boolean }
  | { readonly kind: 'star' | 'deep' | 'fork' };

const slash = 0x2f;
const notSlash = (code: number): boolean => code !== slash;

const isDeep = (pattern: string, from: number, to: number): boolean => {
  const isAtStep = from === 0 || pattern[from - 1] === '/';
  const endsStep = to === pattern.length || pattern[to] === '/' || pattern.startsWith('\\/', to);
  return to - from > 1 && isAtStep && endsStep;
};

/** Undefined if the pattern can never match. */
export function parseGlob(pattern: string): readonly GlobStep[] | undefined {
  const steps: GlobStep[] = [];
  for (let at = 0; at < pattern.length; ) {
    const char = pattern[at]!;
    if (char === '*') {
      const from = at;
      while (pattern[at] === '*') at += 1;
      const deep = isDeep(pattern, from, at);
      if (deep && pattern[at] === '/') steps.push({ kind: 'fork' });
      steps.push({ kind: deep ? 'deep' : 'star' });
      continue;
    }
    if (char === '?') steps.push({ kind: 'one', has: notSlash });
    else if (char === '[') {
      const set = parseCharacterSet(pattern, at);
      if (set === undefined) return undefined;
      steps.push({ kind: 'one', has: (code) => notSlash(code) && set.codes.has(code) !== set.isNegated });
      at = set.end;
      continue;
    } else {
      if (char === '\\') at += 1;
      if (at === pattern.length) return undefined;
      steps.push({ kind: 'char', code: pattern.charCodeAt(at) });
    }
    at += 1;
  }
  return steps;
}

/** A star may consume further characters afterwards. */
function stepMatches(step: GlobStep, code: number): boolean {
  if (step.kind === 'char') return step.code === code;
  if (step.kind === 'one') return step.has(code);
  return step.kind === 'deep' || (step.kind === 'star' && code !== slash);
}

/** Activates the steps after those that may match nothing. */
function advanceEmptySteps(open: Uint8Array, steps: readonly GlobStep[]): void {
  for (const [i, { kind }] of steps.entries()) {
    if (open[i] === 0 || kind === 'char' || kind === 'one') continue;
    open[i + 1] = 1;
    if (kind === 'fork') open[i + 3] = 1;
  }
}

/** Follows all alternatives in parallel, so that the cost is at most pattern length times text length. */
export function matchesGlob(steps: readonly GlobStep[], text: string): boolean {
  const last = steps.at(-1);
  // A cheap test that rejects most names.
  const mustEnd = last?.kind === 'char' && steps.at(-3)?.kind !== 'fork';
  if (mustEnd && last.code !== text.charCodeAt(text.length - 1)) return false;
  let open = new Uint8Array(steps.length + 1);
  open[0] = 1;
  advanceEmptySteps(open, steps);
  for (let at = 0; at < text.length; at += 1) {
    const next = new Uint8Array(open.length);
    const code = text.charCodeAt(at);
    for (const [i, step] of steps.entries()) {
      if (open[i] === 1 && stepMatches(step, code)) next[step.kind === 'star' || step.kind === 'deep' ? i : i + 1] = 1;
    }
    open = next;
    advanceEmptySteps(open, steps);
  }
  return open[steps.length] === 1;
}

/** The length of the prefix without special characters. */
export function plainLength(pattern: string): number {
  const at = pattern.search(/[*?[\\]/);
  return at === -1 ? pattern.length : at;
}
