import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readMarkdown, readMarkdownBlocks } from './read-markdown.ts';
import { readMdx } from './read-mdx.ts';

const shape = (text: string) =>
  readMarkdownBlocks(text).map((block) =>
    block.kind === 'heading' ? `${'#'.repeat(block.level)} ${block.title}` : `${block.kind}: ${block.text}`,
  );

describe('Markdown', () => {
  test('finds both forms of headings, but not inside code', () => {
    const text = [
      '# One ##',
      'text',
      '```sh',
      '# no heading',
      '```',
      'Two',
      '===',
      'Three',
      '---',
      '~~~',
      '## nor this',
      '```',
      '~~~',
      '#hashtag',
      '- a',
      '---',
      '    # code by indentation',
    ].join('\n');
    expect(shape(text)).toEqual([
      '# One',
      'text: text',
      'code: ```sh\n# no heading\n```',
      '# Two',
      '## Three',
      'code: ~~~\n## nor this\n```\n~~~',
      'text: #hashtag\n- a\n---\n    # code by indentation',
    ]);
  });

  test('ignores headings in a fence inside a list or quote, and ends an unclosed fence at the end of the page', () => {
    expect(shape('- ```js\n  # a\n  ```\n\n> ```\n> # b\n> ```\n\n## c')).toEqual([
      'code: - ```js\n  # a\n  ```',
      'code: > ```\n> # b\n> ```',
      '## c',
    ]);
    expect(shape('```\n# a\n\n# b')).toEqual(['code: ```\n# a\n\n# b']);
  });

  test('treats lines indented by a tab as code and accepts a heading in tags on its own line', () => {
    expect(shape('text\n\n\t# no heading\n  \t# nor this\n   # One')).toEqual([
      'text: text',
      'text: \t# no heading\n  \t# nor this',
      '# One',
    ]);
    const readme = '<p>\n  <h1 align="center">Zod &amp; <b>more</b></h1>\n<h2><img src="x"></h2>\n<h3>open\n</p>';
    expect(shape(readme)).toEqual(['# Zod & more', 'text: open']);
  });

  test.each([
    ['---\ntitle: A\n---\nx', 'A', 'x'],
    ['+++\ntitle = "A"\n[menu]\n+++\nx', 'A', 'x'],
    ['---\ntitle: [open\n  "x: y\n---\nx', '[open', 'x'],
    ['---\n---\nx', undefined, 'x'],
    ['---\n\nbetween lines\n\n---\n\nx', undefined, '---|between lines|---|x'],
    ['---\ntitle: never ends\n\nx', undefined, '---\ntitle: never ends|x'],
    ['+++\ntitle = "never ends"\n\nx', undefined, '+++\ntitle = "never ends"|x'],
  ])('reads the front matter of %j, or keeps the text if there is none', (text, title, left) => {
    const { title: found, blocks } = readMarkdown(text);
    const texts = blocks.map((block) => (block.kind === 'heading' ? block.title : block.text));
    expect([found, texts.join('|')]).toEqual([title, left]);
  });

  test('removes markup from titles and reads an anchor in braces', () => {
    const titles = [
      '## The `use<T>()` **method** of [app](x.md) {#use-method}',
      '## <a id="x"></a>Tag',
      '## snake\\_case and __bold__ some_name',
      '## ![logo](l.png) Home',
      '## A &amp; B, `&amp;`',
    ];
    expect(readMarkdownBlocks(titles.join('\n\n'))).toEqual([
      { kind: 'heading', level: 2, title: 'The use<T>() method of app', anchor: 'use-method' },
      { kind: 'heading', level: 2, title: 'Tag' },
      { kind: 'heading', level: 2, title: 'snake_case and bold some_name' },
      { kind: 'heading', level: 2, title: 'logo Home' },
      { kind: 'heading', level: 2, title: 'A & B, &amp;' },
    ]);
  });

  test('takes title and URL from the front matter, or the title from the first heading', () => {
    const page = '---\ntitle: "Hooks: all"\nurl: https://example.org/hooks\ntags: [a]\n---\n# Other\n\ntext';
    expect(readMarkdown(page)).toMatchObject({ title: 'Hooks: all', url: 'https://example.org/hooks' });
    expect(readMarkdown('# Other\n\ntext').title).toBe('Other');
    expect(readMarkdown('text').title).toBeUndefined();
    expect(readMarkdown('---\nno end').blocks).toHaveLength(1);
  });

  test('drops comments, also over several lines', () => {
    expect(shape('a\n\n<!-- # b -->\n<!--\n## c\n-->\nd')).toEqual(['text: a', 'text: d']);
  });

  test('keeps every other line in a block, in order', () => {
    const line = fc.constantFrom(
      'word',
      '  indented',
      '- item',
      '| a | b |',
      '```',
      '~~~',
      '> quote',
      '',
      'Über 🐋',
      '***',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const blocks = readMarkdownBlocks(lines.join('\n'));
        const kept = blocks.flatMap((block) => (block.kind === 'heading' ? [block.title] : block.text.split('\n')));
        const bare = (some: readonly string[]) => some.map((one) => one.trim()).filter((one) => one !== '');
        expect(bare(kept)).toEqual(bare(lines));
      }),
    );
  });

  test('reads a million special characters in linear time', () => {
    for (const sign of ['#', '`', '>', '- ', '<!--', '[', '*', '\\', '|']) {
      expect(readMarkdownBlocks(sign.repeat(500_000)).length).toBeLessThan(5);
      expect(readMarkdownBlocks(`${sign}\n`.repeat(100_000)).length).toBeGreaterThanOrEqual(0);
      expect(readMarkdownBlocks(`# ${sign.repeat(200_000)} a`)).toHaveLength(1);
    }
    for (const sign of ['<', '<a {', '<a "', '`', '` ', '{/*', '{', '<a>', ' ', 'import ']) {
      expect(readMdx(sign.repeat(200_000)).blocks.length).toBeLessThan(5);
    }
  }, 60_000);
});

describe('MDX', () => {
  test('drops imports, exports, tags and comments, and keeps text and code', () => {
    const text = [
      "import Tabs from '@theme/Tabs';",
      'import {',
      '  a,',
      "} from 'b';",
      '',
      'export const meta = {',
      '  title: "x",',
      '',
      '};',
      '',
      '# Title',
      '',
      'import the package, then go on.',
      '',
      '<Tabs groupId="a > b" values={[{ label: "<x>" }]}>',
      '<TabItem value="one">Inner **text** with `<Code />` and a < b.</TabItem>',
      '</Tabs>',
      '{/* a comment',
      'goes */}',
      '```jsx',
      "import React from 'react';",
      '<App />',
      '```',
    ].join('\n');
    expect(readMdx(text).blocks).toEqual([
      { kind: 'heading', level: 1, title: 'Title' },
      { kind: 'text', text: 'import the package, then go on.' },
      { kind: 'text', text: 'Inner **text** with `<Code />` and a < b.' },
      { kind: 'code', text: "```jsx\nimport React from 'react';\n<App />\n```" },
    ]);
  });
});

describe('layout', () => {
  const textsOf = (text: string) =>
    readMarkdown(text).blocks.flatMap((block) => (block.kind === 'heading' ? [] : [block.text]));

  test('drops logos, badges and rows of links, and keeps what is said', () => {
    const text = `
<p align="center">
  <img src="logo.svg" width="200px" alt="A logo" />
</p>

<div align="center">
  <a href="https://a.example">Docs</a>
  <span>&nbsp;•&nbsp;</span>
  <a href="https://b.example">Chat</a>
</div>

[![CI](https://ci.example/badge.svg)](https://ci.example) [![npm][badge]][npm]

![screenshot](a.png)

<p align="center">
    Fast
    by <a href="https://c.example">somebody</a>
</p>

<a id="limit"></a>

The **limit** in \`<a>\` tags<br/>
and ![a diagram](b.png).`;
    expect(textsOf(text)).toEqual(['Fast\nby somebody', 'The **limit** in `<a>` tags\nand ![a diagram](b.png).']);
  });

  test('keeps code, generics and tables', () => {
    const code = '```html\n<p align="center"><img src="a"></p>\n```';
    const indented = '    <div>hello</div>';
    const generics = 'Returns a Promise<Array<string>> and a <T> value.';
    const table = '<table>\n<tr><td>One</td></tr>\n</table>';
    expect(textsOf([code, indented, generics, table].join('\n\n'))).toEqual([code, indented, generics, table]);
  });

  test('reads hostile markup in linear time', () => {
    for (const sign of ['[![', '[![a](', '<p ', '<a href', '![', '<', '&', '`<p>'])
      expect(readMarkdown(sign.repeat(50_000)).blocks).toBeDefined();
  });
});
