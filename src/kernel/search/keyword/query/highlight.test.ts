import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textArbitrary } from '../../documents.fixture.ts';
import { searchLimits } from '../../search-limits.ts';
import { createStemmer } from '../../stemmer.ts';
import { type Highlight, highlightField } from './highlight.ts';
import { parseQuery } from './parse-query.ts';

const stemOf = createStemmer();

function highlight(text: string, query: string, how: 'words' | 'substring' = 'words'): Highlight | undefined {
  return highlightField('body', text, {
    parsed: parseQuery(query, { match: 'any', lastWordIsPrefix: false }, stemOf),
    how,
    stemOf,
  });
}

/** The snippet with its ranges in brackets. */
function shown(text: string, query: string, how?: 'words' | 'substring'): string | undefined {
  const found = highlight(text, query, how);
  if (found === undefined) return undefined;
  let out = '';
  let at = 0;
  for (const [start, end] of found.ranges) {
    out += `${found.snippet.slice(at, start)}[${found.snippet.slice(start, end)}]`;
    at = end;
  }
  return out + found.snippet.slice(at);
}

test.each([
  ['every form of a word', 'Hooks, hooking; a hook.', 'hook', '[Hooks], [hooking]; a [hook].'],
  ['a compound as one', 'Use HookContext here', 'HookContext', 'Use [HookContext] here'],
  ['a part of a compound', 'Use HookContext here', 'context', 'Use Hook[Context] here'],
  ['a prefix', 'creating and creation', 'creat*', '[creating] and [creation]'],
  ['a phrase as a whole', 'hook create, create hook', '"create hook"', '[hook] [create], [create hook]'],
  ['words with accents', 'Le Café noir', 'cafe', 'Le [Café] noir'],
])('marks %s', (_name, text, query, expected) => {
  expect(shown(text, query)).toBe(expected);
});

test('marks the part inside words that a substring search found', () => {
  expect(shown('Some hooks and HookContext', 'ook', 'substring')).toBe('Some h[ook]s and H[ook]Context');
  expect(shown('error handling', 'ror hand', 'substring')).toBe('er[ror hand]ling');
});

test('returns nothing if nothing matches', () => {
  expect(highlight('other words', 'hook')).toBeUndefined();
  expect(highlight('', 'hook')).toBeUndefined();
});

test('cuts the part with most of the query at blanks, and marks the cut', () => {
  const filler = 'lorem ipsum dolor sit amet '.repeat(20);
  const text = `hook ${filler}error in a hook while creating ${filler}`;
  const found = highlight(text, 'hook error create')!;
  expect(found.snippet.startsWith('…')).toBe(true);
  expect(found.snippet.endsWith('…')).toBe(true);
  expect(found.ranges.map(([start, end]) => found.snippet.slice(start, end))).toEqual(['error', 'hook', 'creating']);
  expect(found.snippet.length).toBeLessThanOrEqual(searchLimits.snippetChars + 2);
  expect(text).toContain(` ${found.snippet.slice(1, -1)} `);
});

test('cuts a mark that is longer than a snippet', () => {
  const found = highlight('x'.repeat(500), 'x'.repeat(500))!;
  expect(found.ranges).toEqual([[0, searchLimits.snippetChars]]);
});

test('snippets are parts of the text, with ordered, disjoint ranges inside', () => {
  fc.assert(
    fc.property(textArbitrary(120), textArbitrary(3), (text, query) => {
      const found = highlight(text, query);
      if (found === undefined) return;
      const { snippet, ranges } = found;
      expect(text).toContain(snippet.replace(/^…/, '').replace(/…$/, ''));
      expect(snippet.isWellFormed()).toBe(true);
      expect(ranges.length).toBeGreaterThan(0);
      let last = -1;
      for (const [start, end] of ranges) {
        expect(start).toBeGreaterThan(last);
        expect(end).toBeGreaterThan(start);
        last = end - 1;
      }
      expect(last).toBeLessThan(snippet.length);
    }),
  );
});
