import { expect, test } from 'vitest';
import { readPlain } from '../read-page.ts';

const shape = (text: string) =>
  readPlain(text).blocks.map((block) => (block.kind === 'heading' ? `${block.level} ${block.title}` : block.text));

test('reads underlined and overlined titles, one level per character', () => {
  const text = '=====\nTitle\n=====\n\nIntro\n\nSub\n---\n\nText\n\n====\nOver\n====\n\nEnd';
  expect(shape(text)).toEqual(['1 Title', 'Intro', '2 Sub', 'Text', '1 Over', 'End']);
  expect(readPlain(text).title).toBe('Title');
});

test.each([
  ['a line across is none', '-----\n\ntext\n\n-----'],
  ['nor is a table', '===  ===\na    b\n===  ==='],
  ['nor what has another line above it than below', '=====\ntitle\nmore'],
  ['nor what is shorter than its title', 'a long title\n==='],
])('%s', (_what, text) => {
  expect(readPlain(text).blocks.filter(({ kind }) => kind === 'heading')).toEqual([]);
});
