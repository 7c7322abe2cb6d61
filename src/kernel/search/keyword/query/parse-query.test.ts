import { expect, test } from 'vitest';
import { searchLimits } from '../../search-limits.ts';
import { createStemmer } from '../../stemmer.ts';
import { type ParseOptions, parseQuery } from './parse-query.ts';

const parse = (text: string, options: Partial<ParseOptions> = {}) =>
  parseQuery(text, { match: 'any', lastWordIsPrefix: false, ...options }, createStemmer());

const shown = (text: string, options: Partial<ParseOptions> = {}) =>
  parse(text, options).terms.map(
    ({ text: term, weight, group }) => `${term} ×${weight}${group > 0 ? ` #${group}` : ''}`,
  );

test.each([
  ['words, each stem once, weighted by how often it is asked for', 'hooks and a hook', ['hooks ×2']],
  ['a compound with its parts', 'HookContext', ['hookcontext ×1', 'hook ×1', 'context ×1']],
  ['code', 'before: { create }', ['before ×1', 'create ×1']],
  ['a prefix', 'creat* x*', ['creat* ×1', 'x ×1']],
  ['the prefix of a compound', 'app.us*', ['app.us* ×1', 'app ×1', 'us* ×1']],
  ['a phrase and its words', '"error handling" hooks', ['"error handling" ×2', 'error ×1', 'handling ×1', 'hooks ×1']],
  ['typographic quotes', '“error handling”', ['"error handling" ×2', 'error ×1', 'handling ×1']],
  ['an unpaired quote as a blank', 'error "handling', ['error ×1', 'handling ×1']],
  ['stop words as nothing', 'what should the', []],
  ['a phrase of stop words as nothing', '"to be"', []],
  ['symbols as nothing', ' ** {} "" ', []],
])('parses %s', (_name, text, expected) => {
  expect(shown(text)).toEqual(expected);
});

test('requires the parts of a compound, not the compound, if all words are required', () => {
  expect(shown('HookContext error', { match: 'all' })).toEqual([
    'hookcontext ×1',
    'hook ×1 #1',
    'context ×1 #2',
    'error ×1 #3',
  ]);
});

test('searches an unfinished last word as a word and, at half weight, as a prefix', () => {
  expect(shown('error handl', { lastWordIsPrefix: true, match: 'all' })).toEqual([
    'error ×1 #1',
    'handl ×1 #2',
    'handl* ×0.5 #2',
  ]);
  expect(shown('the', { lastWordIsPrefix: true })).toEqual([]);
});

test('keeps the words of a query that is quoted as a whole, as those of a title', () => {
  for (const query of ['"error handling"', ' “error handling” '])
    expect(parse(query).words.map(({ word }) => word)).toEqual(['error', 'handling']);
  for (const query of ['"error handling" hooks', '"error" "handling"', '"error hand*"x', 'err* "handling"'])
    expect(parse(query).words, query).toEqual([]);
});

test('keeps the distance of phrase words across stop words', () => {
  expect(parse('"state of the art"').terms[0]?.slots).toEqual([
    { word: 'state', offset: 0 },
    { word: 'art', offset: 3 },
  ]);
});

test('cuts an overlong query and reports it', () => {
  const words = Array.from({ length: searchLimits.queryTermsCount + 7 }, (_, i) => `w${i}`).join(' ');
  const parsed = parse(words, { match: 'all' });
  expect(parsed.terms).toHaveLength(searchLimits.queryTermsCount);
  expect(parsed.groupCount).toBe(searchLimits.queryTermsCount);
  expect(parsed.leftOutCount).toBe(7);
  expect(parse(`hook ${'x'.repeat(searchLimits.queryChars)} service`).leftOutCount).toBe(1);
});

test('weighs a guess half, never requires it, and ignores it if the word itself is asked for', () => {
  const guessesFor = (word: string) => (word === 'user' ? ['person', 'deleted'] : ['remove', 'deleted', 'users']);
  expect(shown('delete user', { guessesFor, match: 'all' })).toEqual([
    'delete ×1 #1',
    'user ×1 #2',
    'remove ×0.5',
    'person ×0.5',
  ]);
  expect(parse('delete', { guessesFor }).words).toEqual([{ word: 'delete', offset: 0 }]);
});
