import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob } from './glob.ts';

/** `**` as one character: stars that only meet when an alternative is empty do not count as one. */
const folders = '§';

/** Expands all braces, which the automaton avoids. */
function expand(glob: string): readonly string[] {
  const open = glob.indexOf('{');
  if (open === -1) return [glob];
  const close = glob.indexOf('}', open);
  const choices = glob.slice(open + 1, close).split(',');
  return choices.flatMap((choice) => expand(glob.slice(0, open) + choice + glob.slice(close + 1)));
}

/** The definition by backtracking. */
function fitsFrom(glob: string, text: string, at: number): boolean {
  const [first, ...others] = glob;
  const rest = others.join('');
  if (first === undefined) return at === text.length;
  if (first === folders) {
    const isNameStart = at === 0 || text[at - 1] === '/';
    if (isNameStart && rest.startsWith('/') && fitsFrom(rest.slice(1), text, at)) return true;
    return fitsFrom(rest, text, at) || (at < text.length && fitsFrom(glob, text, at + 1));
  }
  const isInName = at < text.length && text[at] !== '/';
  if (first === '*') return fitsFrom(rest, text, at) || (isInName && fitsFrom(glob, text, at + 1));
  return (first === '?' ? isInName : first === text[at]) && fitsFrom(rest, text, at + 1);
}

const fitsPlainly = (glob: string, text: string): boolean =>
  expand(glob.replace(/\*\*+/g, folders)).some((plain) => fitsFrom(plain, text, 0));

const piece = fc.constantFrom(
  'a',
  'b',
  '/',
  '*',
  '**',
  '**/',
  '?',
  '{a,b}',
  '{a,}',
  '{ab,b?}',
  '{x/,}',
  '{**,a/}',
  'x/',
);
const glob = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
const path = fc.array(fc.constantFrom('a', 'b', '/', 'x', 'ab'), { maxLength: 7 }).map((pieces) => pieces.join(''));

describe('compileGlob', () => {
  it.each([
    ['**/*.ts', 'a.ts', true],
    ['**/*.ts', 'src/deep/a.ts', true],
    ['src/**', 'src/a/b.ts', true],
    ['src/**/b.ts', 'src/b.ts', true],
    ['src/**/b.ts', 'srcb.ts', false],
    ['*.ts', 'src/a.ts', false],
    ['src/*.{ts,tsx}', 'src/a.tsx', true],
    ['src/*.{ts,tsx}', 'src/a.js', false],
    ['{**/*.ts,docs/**}', 'a.ts', true],
    ['{a,{b,c}d}', 'cd', true],
    ['app/[id]/page.?s', 'app/[id]/page.ts', true],
    ['a?b', 'a/b', false],
    ['a?b', 'a😀b', true],
    ['open{a', 'open{a', true],
    ['a}b,c', 'a}b,c', true],
    ['', '', true],
    ['**', 'any/thing', true],
  ])('%s and %s: %s', (pattern, text, fits) => {
    expect(compileGlob(pattern)(text)).toBe(fits);
  });

  it('agrees with the definition', () => {
    fc.assert(
      fc.property(glob, path, (pattern, text) => {
        expect(compileGlob(pattern)(text)).toBe(fitsPlainly(pattern, text));
      }),
      { numRuns: 2_000 },
    );
  });

  it('[IN33] visits each position of a path a bounded number of times', () => {
    const manyChoices = compileGlob('{a,b}'.repeat(300));
    expect(manyChoices('ab'.repeat(150))).toBe(true);
    expect(manyChoices(`${'ab'.repeat(149)}ac`)).toBe(false);
    expect(compileGlob(`${'*a'.repeat(300)}b`)('a'.repeat(900))).toBe(false);
    expect(compileGlob(`${'**/a'.repeat(100)}b`)('/a'.repeat(400))).toBe(false);
    expect(compileGlob(`${'{'.repeat(900)}x${'}'.repeat(900)}`)('x')).toBe(true);
  });

  it('accepts any text as a glob', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        compileGlob(a)(b);
      }),
    );
  });
});
