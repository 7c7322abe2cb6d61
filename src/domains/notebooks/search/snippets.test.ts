import { expect, test } from 'vitest';
import { createSnippets } from './search.ts';

const document = { id: 'a/b', fields: { title: 'Head', text: 'first part here. '.repeat(50) } };
const excerpt = (text: string, part: number) => `${part}: ${text.slice(0, 4)}`;

test('found by meaning alone, the part that was near is shown', () => {
  expect(createSnippets()('unrelated', excerpt)(document, { how: undefined, part: 3 })).toBe('3: Head');
});

test('found by neither, it is the beginning, of title and text', () => {
  expect(createSnippets()('unrelated', excerpt)(document, { how: undefined, part: undefined })).toMatch(
    /^Head first part/,
  );
});

test('found by words, the words are shown; those of the text before those of the title', () => {
  const snippetOf = createSnippets()('part', excerpt);
  expect(snippetOf(document, { how: 'words', part: 2 })).toMatch(/^…part here/);
  expect(createSnippets()('head', excerpt)(document, { how: 'words', part: undefined })).toBe('Head');
});

test('found by a word that stands too deep to be looked for, it is the part that was near', () => {
  expect(createSnippets()('elsewhere', excerpt)(document, { how: 'words', part: 1 })).toBe('1: Head');
});
