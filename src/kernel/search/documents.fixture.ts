import fc from 'fast-check';
import type { SearchDocument } from './collection.ts';

/** Words that share stems, form compounds, are stop words or use other scripts: typical sources of index bugs. */
const vocabulary = [
  ...[
    'hook',
    'hooks',
    'hooking',
    'create',
    'created',
    'creating',
    'creation',
    'hope',
    'hoping',
    'hop',
    'service',
    'services',
  ],
  ...['app.use', 'HookContext', 'user_id', 'first-class', 'to-do', 'before', 'after', 'error', 'errors', 'context'],
  ...['the', 'of', 'and', 'is', '日本語', '犬', 'café', 'größe', '𝒳yz', '\ue000x', 'v5.0.1', 'x', 'ab', 'abc', 'zzz'],
];

export const wordArbitrary = fc.constantFrom(...vocabulary);

export const textArbitrary = (maxLength: number): fc.Arbitrary<string> =>
  fc.array(wordArbitrary, { maxLength }).map((words) => words.join(' '));

export const idArbitrary = fc.constantFrom(
  ...'abcdefghijklmnop',
  'hook',
  'to-do',
  'a-b',
  '𝒳',
  '\ue000',
  'Ä',
  'user_id',
);

export const documentArbitrary: fc.Arbitrary<SearchDocument<'title' | 'body'>> = fc.record({
  id: idArbitrary,
  fields: fc.record({ title: textArbitrary(3), body: textArbitrary(12) }, { requiredKeys: [] }),
  facets: fc.record(
    {
      tag: fc.uniqueArray(fc.constantFrom('red', 'green', 'blue'), { maxLength: 3 }),
      space: fc.constantFrom('one', 'two'),
    },
    { requiredKeys: [] },
  ),
});

export const documentsArbitrary = (maxLength: number): fc.Arbitrary<readonly SearchDocument<'title' | 'body'>[]> =>
  fc.uniqueArray(documentArbitrary, { selector: ({ id }) => id, maxLength });
