import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { intersect, oneOf } from './char-set.ts';
import { findExplosion, isExplosive } from './explosive.ts';
import { parsePattern } from './parse.ts';
import type { Part } from './syntax.ts';

/** The planted failures: each of these takes a power of the length of some text, or worse. */
const doubling = [
  /(a+)+$/,
  /^(a*)*b/,
  /^(a|a)*b/,
  /^(a|aa)+$/,
  /^(?:a|b|ab)*c/,
  /^(a?b?)*$/,
  /^(\w+\s?)*$/,
  /^([a-z]+)*$/i,
  /^(?:x+x+)+y/,
  /^(a{1,3})*$/,
  /^(a?){20}a{20}$/,
  /^((((a?){4}){4}){4}){4}$/,
  /^(?:a|[^b])*$/,
  /^(?:\d|[0-9])+x/,
  /^(?:é|\p{L})+x/u,
  /^(?=(a+)+$)/,
  /^(?:a(?:|))*b/,
  /^(?:(?:|)a)*b/,
  /^(a+)\1*b/,
];
const spreading = [/^a*a*$/, /^\d+\d*x/, /^(.*),(.*)$/, /^[^@]+@[^@]+\.[^@]+$/, /^\s*[a-z ]*$/, /^a*b?a*c/];
const restarting = [
  /\s+$/,
  /[a-z]+:/,
  /^\s*$/m,
  /<!--.*?-->/s,
  /(?=.*x)a/,
  /(?<=a+)b/,
  /\[(.*)\]/,
  /x*y/,
  /(?:ab)+c/,
  /a{200,}b/,
];

/** Ordinary patterns of the kind a program like this holds. */
const harmless = [
  /^[a-z][a-z0-9_]{0,39}$/,
  /^[a-z0-9](?:[a-z0-9_-]{0,118}[a-z0-9])?$/,
  /^[\x21-\x7e]+$/,
  /\s+/g,
  /[A-Z]/g,
  /\r\n?|[\u2028\u2029]/g,
  /"[^"\\]*"/g,
  /^#+ (.*)$/gm,
  /^(?:\d{1,3}\.){3}\d{1,3}$/,
  /^(?=.*[A-Z])(?=.*\d).+$/,
  /^(['"])(.*?)\1$/,
  /[A-Z]{2,10}-\d+/,
  /^\p{L}+\p{N}+$/u,
  /^ent_[a-z0-9]+$/,
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  /a+b/y,
  /^(?:a|b)*c/,
  /^(?:[^\\]|\\.)*$/s,
  /(?:)/,
];

describe('the check of our own patterns', () => {
  it.each(doubling)('finds that %s doubles', ({ source, flags }) => {
    expect(findExplosion(source, flags)?.kind).toBe('doubling');
  });

  it.each(spreading)('finds that %s reads one text in many ways', ({ source, flags }) => {
    expect(findExplosion(source, flags)?.kind).toBe('spreading');
  });

  it.each(restarting)('finds that %s reads far ahead from every place', ({ source, flags }) => {
    expect(findExplosion(source, flags)?.kind).toBe('restarting');
  });

  it.each(harmless)('lets %s pass', ({ source, flags }) => {
    expect(findExplosion(source, flags)).toBeUndefined();
  });

  it('says where to look', () => {
    expect(findExplosion('^a*a*$')?.why).toBe('the parts at characters 1 and 3 repeat and can read the same text');
    expect(findExplosion('\\s+$')?.why).toMatch(/^the loop at character 0 is entered anew at every place/);
  });

  it('finds fault with what it cannot read, or what is too large to judge', () => {
    expect(findExplosion('(a')?.kind).toBe('unreadable');
    expect(
      isExplosive(
        `(a{100})${'(\\1\\1)'.repeat(1)}${Array.from({ length: 9 }, (_, i) => `(\\${i + 2}\\${i + 2})`).join('')}`,
      ),
    ).toBe(true);
  });
});

const stepsMax = 1_000_000;

/** A plain backtracking matcher that counts its steps: what the check predicts, measured. */
function countSteps(whole: Part, text: string): number {
  let steps = 0;
  type Then = (at: number) => boolean;
  function run(part: Part, at: number, then: Then): boolean {
    steps += 1;
    if (steps > stepsMax) return true;
    switch (part.kind) {
      case 'chars':
        return at < text.length && intersect(part.set, oneOf(text[at]!)).length > 0 && then(at + 1);
      case 'sequence':
        return runAll(part.parts, 0, at, then);
      case 'choice':
        return part.options.some((option) => run(option, at, then));
      case 'group':
        return run(part.body, at, then);
      case 'repeat':
        return runRepeat(part, 0, at, then);
      case 'assertion':
        return (part.type === 'start' ? at === 0 : at === text.length) && then(at);
      default:
        throw new Error(`not in these tests: ${part.kind}`);
    }
  }
  const runAll = (parts: readonly Part[], index: number, at: number, then: Then): boolean =>
    index === parts.length ? then(at) : run(parts[index]!, at, (after) => runAll(parts, index + 1, after, then));
  function runRepeat(part: Extract<Part, { kind: 'repeat' }>, count: number, at: number, then: Then): boolean {
    const more = () =>
      run(part.body, at, (after) => (after > at || count < part.min) && runRepeat(part, count + 1, after, then));
    return (count < part.max && more()) || (count >= part.min && then(at));
  }
  for (let start = 0; start <= text.length; start += 1) if (run(whole, start, () => true)) break;
  return steps;
}

const patternText = fc.letrec<{ whole: string; term: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('a', 'b', '[ab]', '[^a]') },
    { weight: 1, arbitrary: tie('whole').map((inner) => `(${inner})`) },
  ),
  term: fc
    .tuple(tie('atom'), fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,3}', '{0,9}'))
    .map(([atom, counts]) => atom + counts),
  whole: fc
    .array(fc.array(tie('term'), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 })
    .map((options) => options.map((terms) => terms.join('')).join('|')),
})).whole;

const anchoredText = fc
  .tuple(fc.constantFrom('', '^'), patternText, fc.constantFrom('', '$', 'c'))
  .map(([start, body, end]) => `${start}(?:${body})${end}`);

const stepsPerChar = (source: string, unit: string, count: number): number => {
  const text = `${unit.repeat(count)}!`;
  const steps = countSteps(parsePattern(source, ''), text);
  return steps > stepsMax ? Number.POSITIVE_INFINITY : steps / text.length;
};

/** How much more a character costs in a text of three times the length: 1 when the time is linear, 3 for the square. */
const growth = (source: string): number =>
  Math.max(
    ...['a', 'b', 'ab', 'aab'].map((unit) => {
      const long = stepsPerChar(source, unit, 300);
      return Number.isFinite(long) ? long / stepsPerChar(source, unit, 100) : long;
    }),
  );

describe('the check of our own patterns, against a matcher that counts', () => {
  it('lets no pattern pass whose steps grow faster than its text', () => {
    let passed = 0;
    fc.assert(
      fc.property(anchoredText, (source) => {
        if (isExplosive(source)) return;
        passed += 1;
        expect(growth(source), source).toBeLessThan(1.5);
      }),
      { numRuns: 600 },
    );
    expect(passed).toBeGreaterThan(60);
  });

  it('would notice: the steps of the planted failures do grow faster', () => {
    for (const source of ['^(a+)+$', '^(a|aa)+$', '^a*a*$', 'a+c', '^(a?b?)*$']) {
      expect(growth(source), source).toBeGreaterThan(1.5);
    }
  });
});
