import { isStringOneByteRepresentation } from 'node:v8';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Marks } from '#kernel/search/keyword/query/marks.ts';
import { createStemmer } from '#kernel/search/stemmer.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import { parseLibraryVersion } from '../libraries/library-version.ts';
import { identifiersOf } from './collection.ts';
import { toFilters } from './doc-query.ts';
import { addSigilWords, isSigilWord, readQuery, sigilWordsOf } from './read-query.ts';
import { createSnippets, indexWords, markIndexed, markWords, type SnippetText, toSnippetText } from './snippets.ts';

describe('identifiers in code', () => {
  it('are taken from fences and backticks, without words of the language', () => {
    const text = 'Call `app.use` with a `HookContext`.\n\n```ts\nconst app = feathers()\napp.use("x", user_id)\n```\n';
    expect(identifiersOf(text)).toBe('app.use HookContext app feathers user_id');
    expect(identifiersOf('No code at all: app.use')).toBe('');
  });

  it('with a sigil get an extra word in text and query', () => {
    expect(identifiersOf('`$or` and `_find`')).toBe('$or _find xdollarxor xlowxfind');
    expect(sigilWordsOf('{ $or: [a], user_id: 1, a.$in: 2, $or: 3 }')).toEqual(['xdollarxor']);
    expect(addSigilWords('$or query')).toBe('$or query xdollarxor');
    expect(addSigilWords('"$or query"')).toBe('"$or query"');
    expect(addSigilWords('plain query')).toBe('plain query');
    expect(['xdollarxor', 'xlowxfind', 'dollar', 'low'].map(isSigilWord)).toEqual([true, true, false, false]);
  });
});

it('adds synonyms for the words of a query, but not for a quoted query', () => {
  const guessesFor = (query: string) =>
    readQuery(query, createStemmer())
      .terms.filter(({ weight }) => weight < 1)
      .map(({ text }) => text);
  expect(guessesFor('delete many records')).toEqual(['remove', 'destroy', 'bulk', 'batch', 'multi', 'several']);
  expect(guessesFor('delete or remove')).toEqual(['destroy']);
  expect(guessesFor('LOGIN')).toContain('authenticate');
  expect(guessesFor('tokens')).toEqual(['jwt']);
  expect(guessesFor('"delete records"')).toEqual([]);
  expect(guessesFor('delete "all records"')).toEqual([]);
  expect(guessesFor('hooks')).toEqual([]);
});

describe('filters', () => {
  it('[KN4] parses a library with or without version and scope', () => {
    expect(parseLibraryVersion(' react ')).toEqual({ library: 'react', version: undefined });
    expect(parseLibraryVersion('react@19.2.0')).toEqual({ library: 'react', version: '19.2.0' });
    expect(parseLibraryVersion('@scope/name')).toEqual({ library: '@scope/name', version: undefined });
    expect(parseLibraryVersion('@scope/name@1.0.0')).toEqual({ library: '@scope/name', version: '1.0.0' });
  });

  const newest = { key: 'edition', any: ['v5', 'both', 'library'] };
  const feathers = { key: 'library', any: ['feathers'] };

  it.each([
    [{}, [newest]],
    [{ version: 'v5' as const }, [newest]],
    [{ version: 'v4' as const }, [{ key: 'edition', any: ['v4', 'both', 'library'] }]],
    [{ version: 'all' as const }, []],
    [{ version: 'both' as const }, []],
    [{ choice: { library: 'feathers', version: undefined } }, [feathers, newest]],
    [{ choice: { library: 'feathers', version: undefined }, version: 'all' as const }, [feathers]],
    [{ choice: { library: 'feathers', version: 'v4' } }, [feathers, { key: 'version', any: ['v4', 'both'] }]],
    [
      { choice: { library: 'react', version: '19.2.0' }, version: 'v4' as const },
      [
        { key: 'library', any: ['react'] },
        { key: 'version', any: ['19.2.0'] },
      ],
    ],
  ])('[KN3] [KN4] %j filters by %j', (asked, filters) => {
    expect(toFilters(asked)).toEqual(filters);
  });
});

describe('snippets', () => {
  const stemOf = createStemmer();
  const { snippetChars } = knowledgeLimits;
  /** The result must not depend on whether the word positions are cached. */
  function snippet(query: string, text: string, how: 'words' | 'substring' = 'words'): string {
    const numbers = new Map<string, number>();
    const shown = toSnippetText(text);
    const placed = { ...shown, words: indexWords(shown.line, stemOf, numbers) };
    const cut = (of: SnippetText) => createSnippets(readQuery(query, stemOf), stemOf, numbers)(of, how);
    expect(cut(placed)).toBe(cut(shown));
    return cut(placed);
  }
  const filler = 'lorem ipsum dolor '.repeat(40);

  it('show the part of the text that matches most of the query, in one line', () => {
    const text = `${filler}the hook ${filler}\nhash\n\n  the password ${filler}`;
    expect(snippet('hash password hook', text)).toMatch(/^\.\.\..*hash the password.*\.\.\.$/);
    expect(snippet('hooks', 'A hook.')).toBe('A hook.');
  });

  it('prefer words of the query to synonyms', () => {
    expect(snippet('delete', `remove ${filler} delete ${filler} remove`)).toContain('delete');
    expect(snippet('delete', `${filler} remove ${filler}`)).toContain('remove');
  });

  it('show the beginning if only the headings match', () => {
    expect(snippet('elsewhere', `First words. ${filler}`)).toMatch(/^First words\..*\.\.\.$/);
  });

  it('show a phrase, a prefix and a substring', () => {
    expect(snippet('"two words"', `${filler} two words ${filler}`)).toContain('two words');
    expect(snippet('authent*', `${filler} authenticate ${filler}`)).toContain('authenticate');
    expect(snippet('thenti', `${filler} authenticate ${filler}`, 'substring')).toContain('authenticate');
  });

  it('respect the maximum length and contain a matching word', () => {
    const word = fc.constantFrom(
      'hook',
      'service',
      'x',
      'größe',
      '𝒳yz',
      'a.b.c',
      'the',
      'extraordinarily-long-compound',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 200 }), (words) => {
        const text = words.join(' ');
        const cut = snippet('hook', text);
        expect(cut.length).toBeLessThanOrEqual(snippetChars + '......'.length);
        expect(cut.isWellFormed()).toBe(true);
        if (words.includes('hook')) expect(cut).toContain('hook');
      }),
    );
  });

  it('mark words in text order, numbered by stem', () => {
    const [numbers, marks] = [new Map<string, number>(), new Marks()];
    const [line, stems] = ['hook service hooks', [stemOf('service'), stemOf('hook')]];
    const words = indexWords(line, stemOf, numbers);
    const expected = [
      [0, 4, 1],
      [5, 12, 0],
      [13, 18, 1],
    ];
    const found = () => Array.from({ length: marks.count }, (_, i) => [marks.starts[i], marks.ends[i], marks.terms[i]]);
    markIndexed(
      words,
      stems.map((stem) => numbers.get(stem)!),
      marks,
    );
    expect(found()).toEqual(expected);
    marks.clear();
    markWords(line, stems, stemOf, marks);
    expect(found()).toEqual(expected);
  });

  it('are one-byte strings, with special signs replaced', () => {
    const { line, beginning } = toSnippetText(`first → last ${filler}`);
    expect([line, beginning].map(isStringOneByteRepresentation)).toEqual([true, true]);
    expect(beginning).toMatch(/^first -> last .*\.\.\.$/);
  });

  it('have no marks without matching words', () => {
    const numbers = new Map<string, number>();
    const [empty, marks] = [indexWords('... !', stemOf, numbers), new Marks()];
    indexWords('hook service', stemOf, numbers);
    markIndexed(empty, [0, 1, 2, 4_000_000_000], marks);
    markIndexed(indexWords('service', stemOf, numbers), [0, 2, 3], marks);
    expect(marks.count).toBe(0);
  });
});

it.each([
  ['how do I set a cookie', { set: 0.5, cookie: 1 }],
  ['How can we read the body?', { read: 0.5, body: 1 }],
  ['set and read a cookie', { set: 1, read: 1, cookie: 1 }],
  ['an example of a union', { example: 0.5, union: 1 }],
])('[KN1] weighs words that only ask less: %s', (query, weights) => {
  const { terms } = readQuery(query, (word) => word);
  const own = terms.filter(({ isWord }) => isWord);
  expect(Object.fromEntries(own.map(({ key, weight }) => [key, weight]))).toEqual(weights);
});
