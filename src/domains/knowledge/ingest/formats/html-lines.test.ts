import { expect, it } from 'vitest';
import { readHtml } from './read-html.ts';

const textsOf = (html: string): readonly unknown[] =>
  readHtml(html).blocks.map((block) => (block.kind === 'heading' ? `# ${block.title}` : block.text));

it('keeps line breaks in text and in code', () => {
  expect(textsOf('<p>one<br>two<br/>three</p><pre>a<br>b</pre>')).toEqual(['one\ntwo\nthree', '```\na\nb\n```']);
});

it('reads table rows as lines and ends the table before the next paragraph', () => {
  expect(textsOf('<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table><p>d</p><p>e</p>')).toEqual([
    'a | b\nc',
    'd',
    'e',
  ]);
});

it('drops comments', () => {
  expect(textsOf('<p>a<!-- <p>b</p> > -->c</p><p>d<!-- never ended <p>e</p>')).toEqual(['ac', 'd']);
});

it('allows ">" inside quoted attribute values only', () => {
  expect(textsOf('<p title="a > b">c</p><p title=d>e</p>')).toEqual(['c', 'e']);
});

it('ignores an end tag without a start tag', () => {
  expect(textsOf('<main><div><p>a</p></section></div><p>b</p></main><p>c</p>')).toEqual(['a', 'b']);
});
