import { expect, test } from 'vitest';
import { createSnippets } from './notebook-search.ts';

const document = { id: 'a/b', fields: { title: 'Head', text: 'first part here. '.repeat(50) } };
const excerpt = (text: string, part: number) => `${part}: ${text.slice(0, 4)}`;

test('shows the nearest part for a semantic hit', () => {
  expect(createSnippets()('unrelated', excerpt)(document, { how: undefined, part: 3 })).toBe('3: Head');
});

test('shows the beginning of title and text for a hit without a match', () => {
  expect(createSnippets()('unrelated', excerpt)(document, { how: undefined, part: undefined })).toMatch(
    /^Head first part/,
  );
});

test('shows the matched words, of the text before the title', () => {
  const snippetOf = createSnippets()('part', excerpt);
  expect(snippetOf(document, { how: 'words', part: 2 })).toMatch(/^…part here/);
  expect(createSnippets()('head', excerpt)(document, { how: 'words', part: undefined })).toBe('Head');
});

test('shows the nearest part when the matched word is too far into the text', () => {
  expect(createSnippets()('elsewhere', excerpt)(document, { how: 'words', part: 1 })).toBe('1: Head');
});
