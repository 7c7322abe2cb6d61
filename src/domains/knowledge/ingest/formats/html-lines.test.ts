import { expect, it } from 'vitest';
import { readHtml } from './read-html.ts';

const textsOf = (html: string): readonly unknown[] =>
  readHtml(html).blocks.map((block) => (block.kind === 'heading' ? `# ${block.title}` : block.text));

it('a break of a line is one, in text and in code', () => {
  expect(textsOf('<p>one<br>two<br/>three</p><pre>a<br>b</pre>')).toEqual(['one\ntwo\nthree', '```\na\nb\n```']);
});

it('the rows of a table are lines, and what comes behind it is no part of it', () => {
  expect(textsOf('<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table><p>d</p><p>e</p>')).toEqual([
    'a | b\nc',
    'd',
    'e',
  ]);
});

it('comments are no text, whatever stands in them', () => {
  expect(textsOf('<p>a<!-- <p>b</p> > -->c</p><p>d<!-- never ended <p>e</p>')).toEqual(['ac', 'd']);
});

it('what is quoted in a tag may hold its end; what is not, ends it', () => {
  expect(textsOf('<p title="a > b">c</p><p title=d>e</p>')).toEqual(['c', 'e']);
});

it('an end tag that nobody opened ends nothing that was', () => {
  expect(textsOf('<main><div><p>a</p></section></div><p>b</p></main><p>c</p>')).toEqual(['a', 'b']);
});
