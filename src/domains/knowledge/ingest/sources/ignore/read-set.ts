export interface CodeSet {
  readonly isNegated: boolean;
  readonly codes: ReadonlySet<number>;
  /** Behind its closing bracket. */
  readonly end: number;
}

type Ranges = readonly (readonly [string, string])[];

const [upper, lower, digit]: readonly [Ranges, Ranges, Ranges] = [[['A', 'Z']], [['a', 'z']], [['0', '9']]];
const punct: Ranges = [
  ['!', '/'],
  [':', '@'],
  ['[', '`'],
  ['{', '~'],
];

/** Of ASCII, as in POSIX. */
const named: ReadonlyMap<string, Ranges> = new Map([
  ['upper', upper],
  ['lower', lower],
  ['digit', digit],
  ['alpha', [...upper, ...lower]],
  ['alnum', [...upper, ...lower, ...digit]],
  ['xdigit', [...digit, ['A', 'F'], ['a', 'f']]],
  ['punct', punct],
  ['graph', [['!', '~']]],
  ['print', [[' ', '~']]],
  [
    'blank',
    [
      [' ', ' '],
      ['\t', '\t'],
    ],
  ],
  [
    'space',
    [
      [' ', ' '],
      ['\t', '\r'],
    ],
  ],
  [
    'cntrl',
    [
      ['\0', '\x1f'],
      ['\x7f', '\x7f'],
    ],
  ],
]);

/**
 * `[a-z]`, `[!a]`, `[[:digit:]]`, read from the bracket at `at`; undefined: it has no end, or names what is not known. As
 * git has it: a closing bracket that comes first is one of the characters, and so is a dash at either end.
 */
export function readSet(pattern: string, at: number): CodeSet | undefined {
  const codes = new Set<number>();
  const add = (from: string, to: string): void => {
    for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code += 1) codes.add(code);
  };
  const isNegated = pattern[at + 1] === '!' || pattern[at + 1] === '^';
  const first = at + (isNegated ? 2 : 1);
  /** Where a range could begin. */
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
        const ranges = named.get(pattern.slice(i + 2, close - 1));
        if (ranges === undefined) return undefined;
        for (const [from, to] of ranges) add(from, to);
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
