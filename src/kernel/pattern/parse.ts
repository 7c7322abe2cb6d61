import { anyChar, type CharSet, lineEnds, negate, oneOf, withBothCases } from './char-set.ts';
import { readCharEscape, readClass } from './parse-chars.ts';
import { createSource, type Part, type PatternFlags, type Source, toPatternFlags } from './syntax.ts';

interface Reading {
  readonly source: Source;
  readonly flags: PatternFlags;
  readonly groupsCount: number;
  readonly groupNames: readonly string[];
  groupIndex: number;
}

/** References can point forward, so the groups are counted first. Classes may hold brackets that open nothing. */
function countGroups(text: string): Pick<Reading, 'groupsCount' | 'groupNames'> {
  const found = [...text.matchAll(/\\.|\[(?:[^\]\\]|\\.)*\]?|(\((?!\?)|\(\?<(?![=!])([^>]*))/gs)];
  const groups = found.filter((match) => match[1] !== undefined);
  return { groupsCount: groups.length, groupNames: groups.flatMap((match) => match[2] ?? []) };
}

const chars = ({ flags }: Reading, set: CharSet, at: number): Part => ({
  kind: 'chars',
  set: flags.ignoreCase ? withBothCases(set) : set,
  at,
});

function readReference(reading: Reading): Part | undefined {
  const { source, flags, groupsCount, groupNames } = reading;
  const at = source.at - 1;
  if ((flags.unicode || groupNames.length > 0) && source.take('k')) {
    const name = source.match(/<([^<>()]+)>/y)?.[1];
    if (name === undefined) return source.fail('\\k needs the name of a group', at);
    return groupNames.includes(name) ? { kind: 'reference', to: name } : source.fail(`there is no group ${name}`, at);
  }
  const digit = /[1-9]/.test(source.peek());
  const number = digit ? source.match(/\d{1,4}/y)?.[0] : undefined;
  if (number === undefined) return undefined;
  if (Number(number) <= groupsCount) return { kind: 'reference', to: Number(number) };
  if (flags.unicode) source.fail(`there is no group ${number}`, at);
  // Old syntax: an octal number, or the digits themselves.
  return { kind: 'sequence', parts: Array.from(number, () => chars(reading, anyChar, at)) };
}

function readEscape(reading: Reading): Part {
  const at = reading.source.at - 1;
  if (reading.source.match(/[bB]/y)) return { kind: 'assertion', type: 'other' };
  return readReference(reading) ?? chars(reading, readCharEscape(reading.source, reading.flags, false), at);
}

function readGroup(reading: Reading): Part {
  const { source } = reading;
  const openedAt = source.at - 1;
  const close = (body: Part): Part => (source.take(')') ? body : source.fail('this group is not closed', openedAt));
  if (source.match(/\?<?[=!]/y)) return { kind: 'look', body: close(readChoice(reading)), at: openedAt };
  const modifiers = source.match(/\?([ims]*)(?:-[ims]*)?:/y);
  if (modifiers) {
    // A flag that is set for a part is taken as set, one that is cleared as it was: both make a set larger, never smaller.
    const set = modifiers[1] ?? '';
    const { flags } = reading;
    const inner: Reading = {
      ...reading,
      flags: {
        ...flags,
        ignoreCase: flags.ignoreCase || set.includes('i'),
        multiline: flags.multiline || set.includes('m'),
        dotAll: flags.dotAll || set.includes('s'),
      },
    };
    const body = close(readChoice(inner));
    reading.groupIndex = inner.groupIndex;
    // Not the body itself: a lone assertion cannot be repeated, in brackets it can.
    return { kind: 'sequence', parts: [body] };
  }
  const name = source.match(/\?<([^<>()=!][^<>()]*)>/y)?.[1];
  if (name === undefined && source.peek() === '?') source.fail('there is no such kind of group', openedAt);
  reading.groupIndex += 1;
  const index = reading.groupIndex;
  return { kind: 'group', body: close(readChoice(reading)), index, name };
}

function readAtom(reading: Reading): Part {
  const { source, flags } = reading;
  const at = source.at;
  const char = source.next();
  switch (char) {
    case '^':
      return { kind: 'assertion', type: flags.multiline ? 'line' : 'start' };
    case '$':
      return { kind: 'assertion', type: 'other' };
    case '.':
      return { kind: 'chars', set: flags.dotAll ? anyChar : negate(lineEnds), at };
    case '(':
      return readGroup(reading);
    case '[':
      return { kind: 'chars', set: readClass(source, flags), at };
    case '\\':
      return readEscape(reading);
    case '*':
    case '+':
    case '?':
      return source.fail('there is nothing to repeat', at);
    case '{':
      if (flags.unicode || source.match(/\d+(?:,\d*)?\}/y)) source.fail('there is nothing to repeat', at);
      return chars(reading, oneOf('{'), at);
    case '}':
    case ']':
      if (flags.unicode) source.fail(`${char} closes nothing`, at);
      return chars(reading, oneOf(char), at);
    default:
      return chars(reading, oneOf(char), at);
  }
}

function readCounts(source: Source): { min: number; max: number } | undefined {
  if (source.take('*')) return { min: 0, max: Number.POSITIVE_INFINITY };
  if (source.take('+')) return { min: 1, max: Number.POSITIVE_INFINITY };
  if (source.take('?')) return { min: 0, max: 1 };
  const counted = source.match(/\{(\d+)(?:,(\d*))?\}/y);
  if (counted === undefined) return undefined;
  const min = Number(counted[1]);
  if (counted[2] === undefined) return { min, max: min };
  return { min, max: counted[2] === '' ? Number.POSITIVE_INFINITY : Number(counted[2]) };
}

function readTerm(reading: Reading): Part {
  const { source, flags } = reading;
  const at = source.at;
  const body = readAtom(reading);
  const countsAt = source.at;
  const counts = readCounts(source);
  if (counts === undefined) return body;
  if (body.kind === 'assertion' || (body.kind === 'look' && flags.unicode)) {
    source.fail('there is nothing to repeat', countsAt);
  }
  if (counts.min > counts.max) source.fail('these counts are out of order', countsAt);
  source.take('?');
  return { kind: 'repeat', body, ...counts, at };
}

function readChoice(reading: Reading): Part {
  const { source } = reading;
  const options: Part[] = [];
  do {
    const parts: Part[] = [];
    while (source.peek() !== '' && source.peek() !== '|' && source.peek() !== ')') parts.push(readTerm(reading));
    options.push(parts.length === 1 ? parts[0]! : { kind: 'sequence', parts });
  } while (source.take('|'));
  return options.length === 1 ? options[0]! : { kind: 'choice', options };
}

/** Reads a pattern as the engine does. Throws PatternSyntaxError, which names the place. */
export function parsePattern(text: string, flagsText: string): Part {
  const flags = toPatternFlags(flagsText);
  const source = createSource(text, flags.unicode);
  const whole = readChoice({ source, flags, ...countGroups(text), groupIndex: 0 });
  if (source.peek() === ')') source.fail('this bracket closes nothing');
  return whole;
}
