import {
  anyChar,
  blanks,
  type CharSet,
  digits,
  negate,
  oneOf,
  propertySet,
  toCharSet,
  withBothCases,
  wordChars,
} from './char-set.ts';
import type { PatternFlags, Source } from './syntax.ts';

const classEscapes: Readonly<Record<string, CharSet>> = {
  d: digits,
  D: negate(digits),
  w: wordChars,
  W: negate(wordChars),
  s: blanks,
  S: negate(blanks),
};

const controls: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 };
const syntaxChars = '^$\\.*+?()[]{}|/';

const toCode = (hex: string | undefined): number => Number.parseInt(hex ?? '', 16);

function readUnicodeEscape(source: Source, { unicode }: PatternFlags): number | undefined {
  const at = source.at;
  if (unicode) {
    const pair = source.match(/u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})/iy);
    if (pair) return (toCode(pair[1]) - 0xd800) * 0x400 + toCode(pair[2]) - 0xdc00 + 0x1_0000;
    const braced = source.match(/u\{0*([0-9a-f]{1,6})\}/iy);
    if (braced && toCode(braced[1]) <= 0x10_ffff) return toCode(braced[1]);
    if (braced) source.fail('there is no such character', at);
  }
  const plain = source.match(/u([0-9a-f]{4})/iy) ?? source.match(/x([0-9a-f]{2})/iy);
  return plain ? toCode(plain[1]) : undefined;
}

/** What follows a backslash and stands for characters, in a class or outside. The backslash is already read. */
export function readCharEscape(source: Source, flags: PatternFlags, inClass: boolean): CharSet {
  const at = source.at - 1;
  const coded = readUnicodeEscape(source, flags);
  if (coded !== undefined) return [[coded, coded]];
  if (flags.unicode) {
    const property = source.match(/p\{[^{}]*\}/iy);
    if (property) return propertySet(`\\${property[0]}`);
  }
  const control = source.match(/c([a-z])/iy);
  if (control) return oneOf(String.fromCharCode(control[1]!.charCodeAt(0) % 32));
  const octal = source.match(flags.unicode ? /0(?!\d)/y : /[0-3][0-7]{0,2}|[4-7][0-7]?/y);
  if (octal) return oneOf(String.fromCharCode(Number.parseInt(octal[0], 8)));
  const char = source.next();
  if (char === '') source.fail('the pattern ends with a backslash', at);
  const known = classEscapes[char];
  if (known !== undefined) return known;
  if (controls[char] !== undefined) return [[controls[char], controls[char]]];
  if (inClass && char === 'b') return oneOf('\b');
  const isLiteral = syntaxChars.includes(char) || (inClass && (char === '-' || flags.sets));
  if (flags.unicode && !isLiteral) source.fail(`\\${char} means nothing here`, at);
  return oneOf(char);
}

const isSingle = (set: CharSet): boolean => set.length === 1 && set[0]![0] === set[0]![1];

function readClassItem(source: Source, flags: PatternFlags): CharSet {
  return source.take('\\') ? readCharEscape(source, flags, true) : oneOf(source.next());
}

/** Under the flag `v` classes nest, intersect and hold strings. Too much syntax for how seldom it is used: any character. */
function skipSetClass(source: Source, openedAt: number): CharSet {
  for (let depth = 1; depth > 0; ) {
    const char = source.next();
    if (char === '') source.fail('this class is not closed', openedAt);
    if (char === '\\') source.next();
    else if (char === '[') depth += 1;
    else if (char === ']') depth -= 1;
  }
  return anyChar;
}

/** A class, its opening bracket already read. */
export function readClass(source: Source, flags: PatternFlags): CharSet {
  const openedAt = source.at - 1;
  const isNegated = source.take('^');
  if (flags.sets) return skipSetClass(source, openedAt);
  const ranges: (readonly [number, number])[] = [];
  while (!source.take(']')) {
    if (source.peek() === '') source.fail('this class is not closed', openedAt);
    const at = source.at;
    const from = readClassItem(source, flags);
    if (!source.match(/-(?!\])/y)) {
      ranges.push(...from);
      continue;
    }
    if (source.peek() === '') source.fail('this class is not closed', openedAt);
    const to = readClassItem(source, flags);
    if (isSingle(from) && isSingle(to)) {
      if (from[0]![0] > to[0]![0]) source.fail('this range is out of order', at);
      ranges.push([from[0]![0], to[0]![0]]);
    } else {
      if (flags.unicode) source.fail('a range needs a character at both ends', at);
      ranges.push(...from, ...to, ...oneOf('-'));
    }
  }
  const set = toCharSet(ranges);
  const folded = flags.ignoreCase ? withBothCases(set) : set;
  return isNegated ? negate(folded) : folded;
}
