/** A set of characters (code points) as sorted, disjoint, inclusive ranges. */
export type CharSet = readonly (readonly [low: number, high: number])[];

const highest = 0x10_ffff;

export const anyChar: CharSet = [[0, highest]];

/** Sorted and merged. */
export function toCharSet(ranges: CharSet): CharSet {
  const merged: [number, number][] = [];
  for (const [low, high] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else merged.push([low, high]);
  }
  return merged;
}

export const oneOf = (text: string): CharSet => toCharSet(Array.from(text, (char) => charRange(char.codePointAt(0)!)));

const charRange = (code: number): readonly [number, number] => [code, code];

export function negate(set: CharSet): CharSet {
  const rest: [number, number][] = [];
  let from = 0;
  for (const [low, high] of set) {
    if (low > from) rest.push([from, low - 1]);
    from = high + 1;
  }
  if (from <= highest) rest.push([from, highest]);
  return rest;
}

export function intersect(a: CharSet, b: CharSet): CharSet {
  const common: [number, number][] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const low = Math.max(a[i]![0], b[j]![0]);
    const high = Math.min(a[i]![1], b[j]![1]);
    if (low <= high) common.push([low, high]);
    if (a[i]![1] < b[j]![1]) i += 1;
    else j += 1;
  }
  return common;
}

export const digits: CharSet = [[0x30, 0x39]];
export const wordChars: CharSet = toCharSet([...digits, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]]);
export const lineEnds: CharSet = oneOf('\n\r\u2028\u2029');
export const blanks: CharSet = toCharSet([
  ...oneOf('\t\v\f \u00a0\u1680\u202f\u205f\u3000\ufeff'),
  ...lineEnds,
  [0x2000, 0x200a],
]);

/** Ranges longer than this hold both cases of nearly all they hold; only their ASCII letters are looked at. */
const caseScanMax = 1_024;

/** With the other case of each character, for the flag `i`. */
export function withBothCases(set: CharSet): CharSet {
  const ranges: (readonly [number, number])[] = [...set];
  const add = (code: number) => {
    const char = String.fromCodePoint(code);
    for (const other of [char.toLowerCase(), char.toUpperCase()]) ranges.push(charRange(other.codePointAt(0)!));
  };
  for (const [low, high] of set) {
    const end = high - low <= caseScanMax ? high : Math.min(high, 0x7a);
    for (let code = low; code <= end; code += 1) add(code);
  }
  return toCharSet(ranges);
}

/** Without surrogates: a high one followed by a low one would be read as another character. */
function everyChar(): string {
  const rows: string[] = [];
  for (let row = 0; row <= highest; row += 0x400) {
    if (row >= 0xd800 && row <= 0xdfff) continue;
    rows.push(String.fromCodePoint(...Array.from({ length: 0x400 }, (_, column) => row + column)));
  }
  return rows.join('');
}

/** What `\p{…}` stands for, found by asking the engine about every character. An unknown property is every character. */
export function propertySet(property: string): CharSet {
  let pattern: RegExp;
  try {
    pattern = new RegExp(`${property}+`, 'gu');
  } catch {
    return anyChar;
  }
  const ranges: (readonly [number, number])[] = [];
  for (const [run] of everyChar().matchAll(pattern)) {
    const last = run.codePointAt(run.length - (run.charCodeAt(run.length - 1) >= 0xdc00 && run.length > 1 ? 2 : 1))!;
    ranges.push([run.codePointAt(0)!, last]);
  }
  return toCharSet(ranges);
}
