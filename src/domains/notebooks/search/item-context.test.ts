import { expect, test } from 'vitest';
import { authorWordsOf, contextOf } from './item-context.ts';

test('spells dates, keeps short properties, and leaves out titles and long texts', () => {
  const metadata = {
    date: '2023-05-07',
    at: '2023-06-01T10:00:00Z',
    place: 'Lisbon',
    title: 'T',
    long: 'x'.repeat(200),
    n: 3,
  };
  expect(contextOf(JSON.stringify(metadata))).toBe('2023-05-07 7 May 2023\n2023-06-01T10:00:00Z 1 June 2023\nLisbon');
  expect(contextOf('{}')).toBe('');
  expect(contextOf('{"date":"2023-13-07"}')).toBe('2023-13-07');
});

test.each([
  ['{"speaker":"Maya Lopez"}', 'Hello.', ['maya', 'lopez']],
  ['{"role":"user"}', 'Hello.', ['user']],
  ['{}', 'Maya: I moved last week.', ['maya']],
  ['{}', 'José María: hola', ['jose', 'maria']],
  ['{}', 'https://example.com: a link', []],
  ['{}', 'const x: number = 1', []],
  ['{}', 'A whole sentence that goes on and on: and then more', []],
  ['{"speaker":"  "}', 'no name', []],
] as const)('finds who wrote a cell with %s and %j', (metadata, content, words) => {
  expect(authorWordsOf(metadata, content)).toEqual(words);
});
