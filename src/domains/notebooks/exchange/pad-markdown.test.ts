import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { fromMarkdown, toMarkdown } from './pad-markdown.ts';
import type { PortablePad } from './portable-pad.ts';
import { anyPad } from './portable-pads.fixture.ts';

const plan: PortablePad = {
  scratch_id: 'plan',
  metadata: { title: 'A "plan"', tags: ['a', 'b'], owner: { name: 'ada' } },
  cells: [
    { cell_id: 'one', language: 'md', content: '# Plan\n\n```py\nprint(1)\n```\n' },
    { cell_id: 'two', language: 'py', content: 'print(1)', tags: ['run`'], validate: true },
  ],
};

test('restores any pad from its Markdown', () => {
  fc.assert(
    fc.property(anyPad, (pad) => {
      const { pad: back, warnings } = fromMarkdown(toMarkdown(pad));
      expect(back).toEqual(pad);
      expect(warnings).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('writes readable Markdown', () => {
  expect(toMarkdown(plan)).toBe(`---
scratch_id: "plan"
title: "A \\"plan\\""
tags: ["a","b"]
metadata: {"owner":{"name":"ada"}}
---

\`\`\`\`md {"cell_id":"one"}
# Plan

\`\`\`py
print(1)
\`\`\`

\`\`\`\`

\`\`\`py {"cell_id":"two","tags":["run\\u0060"],"validate":true}
print(1)
\`\`\`
`);
});

test('writes front matter that is valid YAML', () => {
  const [, inside] = toMarkdown(plan).split('---\n');
  expect(parse(inside!)).toEqual({
    scratch_id: 'plan',
    title: 'A "plan"',
    tags: ['a', 'b'],
    metadata: { owner: { name: 'ada' } },
  });
});

test('imports any Markdown file as blocks and the text between them', () => {
  const text = `\uFEFF---
title: Notes of 2026-01-02
date: 2026-01-02
tags:
  - a
  - b
nested: { deep: [1, 2] }
---

# Head

Some \`\`\`inline\`\`\` text.

~~~Python {.numberLines}
x = 1
\`\`\`
~~~

- a list

      indented

\`\`\`mermaid
graph TD
\`\`\`
tail
\`\`\`
no name, no end
`;
  expect(fromMarkdown(text)).toEqual({
    pad: {
      metadata: { title: 'Notes of 2026-01-02', date: '2026-01-02', tags: ['a', 'b'], nested: { deep: [1, 2] } },
      cells: [
        { language: 'md', content: '# Head\n\nSome ```inline``` text.' },
        { language: 'py', content: 'x = 1\n```' },
        { language: 'md', content: '- a list\n\n      indented' },
        { language: 'txt', content: 'graph TD', metadata: { language: 'mermaid' } },
        { language: 'md', content: 'tail' },
        { language: 'txt', content: 'no name, no end\n' },
      ],
    },
    warnings: ['"mermaid" is not a language of cells; the block became a txt cell'],
  });
});

test('converts CR LF when the whole file uses it, and keeps single ones inside a cell', () => {
  const windows = '---\r\ntitle: x\r\n---\r\n\r\n```js\r\na\r\nb\r\n```\r\n';
  expect(fromMarkdown(windows).pad).toEqual({ metadata: { title: 'x' }, cells: [{ language: 'js', content: 'a\nb' }] });
  expect(fromMarkdown('```js\na\r\nb\n```\n').pad.cells).toEqual([{ language: 'js', content: 'a\r\nb' }]);
});

test('turns titles and tags that YAML reads as other types into texts', () => {
  expect(fromMarkdown('---\ntitle: 2026\ntags: one, two\nnamespace: 7\n---\n').pad.metadata).toEqual({
    title: '2026',
    tags: ['one', 'two'],
    namespace: '7',
  });
  expect(fromMarkdown('---\ntags: [1, true, x]\n---\n').pad.metadata).toEqual({ tags: ['1', 'true', 'x'] });
});

test.each([
  ['not a map', '---\n- a\n- b\n---\n', 'The front matter must be a map of key: value'],
  ['not YAML', '---\na: [1\n---\n', 'The front matter cannot be parsed'],
])('rejects front matter that is %s', (_, text, message) => {
  expect(() => fromMarkdown(text)).toThrow(message);
});

test('rejects front matter whose aliases expand exponentially', () => {
  const lines = Array.from({ length: 12 }, (_, i) => `k${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}*a${i}]`);
  expect(() => fromMarkdown(`---\nk0: &a0 [x]\n${lines.join('\n')}\n---\n`)).toThrow('cannot be parsed');
});

test('ignores attributes of a fence that have the wrong types', () => {
  expect(fromMarkdown('```py [1]\nx\n```\n```py {"tags": 5, "validate": "yes"}\ny\n```').pad.cells).toEqual([
    { language: 'py', content: 'x' },
    { language: 'py', content: 'y' },
  ]);
});

test.each([
  ['Text first\n\n  # The *plan* ##\n\n# Second\n', 'The *plan*'],
  ['```sh\n# a comment\n```\n\n#\tTabbed\n', 'Tabbed'],
  ['---\nowner: ada\n---\n# From the body\n', 'From the body'],
  ['---\ntitle: Given\n---\n# From the body\n', 'Given'],
  ['---\nmetadata: {"title":"Inside"}\n---\n# From the body\n', 'Inside'],
  [`# ${'x'.repeat(600)}\n`, 'x'.repeat(500)],
  ['## Only a second level\n    # code\n#hashtag\n# ##\n', undefined],
])('uses the first heading as title when the front matter has none: %j', (text, title) => {
  expect(fromMarkdown(text).pad.metadata['title']).toBe(title);
});
