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
  ['does not take a rule for a title', '-----\n\ntext\n\n-----'],
  ['does not take a table for a title', '===  ===\na    b\n===  ==='],
  ['needs the same line above and below', '=====\ntitle\nmore'],
  ['ignores an underline that is shorter than the title', 'a long title\n==='],
])('%s', (_what, text) => {
  expect(readPlain(text).blocks.filter(({ kind }) => kind === 'heading')).toEqual([]);
});
