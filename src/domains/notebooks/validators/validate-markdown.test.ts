import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { lint } from 'markdownlint/sync';
import { describe, expect, it } from 'vitest';
import { validateMarkdown } from './validate-markdown.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const found = (text: string): readonly string[] => {
  const { errors, warnings } = validateMarkdown(text);
  return [...errors.map(({ code, line }) => `${code}:${line}`), ...warnings.map(({ code }) => code!)];
};

describe('Markdown validation', () => {
  it.each([
    ['a fence in a list ends with its item', '- a\n\n  ```\n  code\n\ntext\n'],
    ['a fence in a quotation ends with it', '> ```\n> code\n\ntext\n'],
    ['a fence after a lazy line is not in the item', '- a\nlazy\n```\ncode\n```\n'],
    ['a longer fence holds a shorter one', '````\n```\n````\n'],
    ['a fence of tildes holds one of backticks', '~~~ md\n```\n~~~\n'],
    ['a span of code that looks like a fence', 'a\n```b``` c\n'],
    ['links in code are ignored', '`[a]()`\n\n    [b]()\n\n```\n[c]()\n```\n'],
    ['a span of code over two lines', 'a ``b\n[c]()`` d\n'],
    ['escaped characters are text', '\\[a]() and \\`[b](c)\\`\n'],
    ['HTML is ignored', '<div>\n[a]()\n</div>\n\n<!--\n[b]()\n\n[c]()\n-->\n'],
    ['a call is not a link', 'f(x)[0] and (see)[1]\n'],
    ['a table ends at an HTML comment', '| a |\n| - |\n| 1 |\n<!-- end -->\n'],
    ['a pipe may be escaped', '| a |\n| - |\n| \\| |\n'],
    ['labels ignore case and whitespace', '[a][ The  Label ]\n\n[the label]: x\n'],
    ['a label may hold code', '[`a` b][]\n\n[`a` b]: x\n'],
    ['footnotes are not references', 'a[^1] [b][^2]\n'],
    ['front matter is ignored', '---\na: "[b]()"\n---\n'],
    ['equal headings under different parents', '# a\n\n## x\n\n# b\n\n## x\n'],
  ])('accepts: %s', (_, text) => {
    expect(found(text)).toEqual([]);
  });

  it.each([
    ['```\ncode\n``\n', ['UNCLOSED_FENCE:1']],
    ['a\n\n~~~\n```\n', ['UNCLOSED_FENCE:3']],
    ['- x\n  - [a](<>)\n', ['MD042:2']],
    ['a [b\nc](#) d\n', ['MD042:1']],
    ['![a]()\n', ['MD042:1']],
    ['a | b\n--|--\n1 | 2 | 3\n', ['MD056:3']],
    ['> | a | b |\n> | - | - |\n> | 1 |\n', ['MD056:3']],
    ['x\n(a)[./b.md]\n', ['MD011:2']],
    ['[a][b] [c][]\n', ['MD052', 'MD052']],
  ])('reports what is wrong: %j', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it('agrees with markdownlint on every available file', () => {
    const files = ['node_modules/fastify', 'node_modules/undici', 'node_modules/yaml', 'node_modules/pino', 'docs']
      .flatMap((place) =>
        readdirSync(join(root, place), { recursive: true, encoding: 'utf8' }).map((name) => join(root, place, name)),
      )
      .filter((name) => name.endsWith('.md'));
    const config = { default: false, MD011: true, MD042: true, MD056: true };
    for (const file of files) {
      const text = readFileSync(file, 'utf8');
      const theirs = lint({ strings: { file: text }, config, noInlineConfig: true })['file'] ?? [];
      const ours = validateMarkdown(text).errors.filter(({ code }) => code !== 'UNCLOSED_FENCE');
      expect(
        ours.map(({ code, line }) => `${code}:${line}`),
        file,
      ).toEqual(theirs.map(({ ruleNames, lineNumber }) => `${ruleNames[0]}:${lineNumber}`));
    }
    expect(files.length).toBeGreaterThan(50);
  });

  it('accepts any text and reports positions inside it', () => {
    const pieces = [
      '[',
      ']',
      '(',
      ')',
      '`',
      '```',
      '\n',
      '> ',
      '- ',
      '  ',
      '|',
      '---',
      '#',
      '<',
      '>',
      '\\',
      'a',
      '<!--',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), (parts) => {
        const text = parts.join('');
        const lines = text.split('\n');
        for (const { line, column } of validateMarkdown(text).errors) {
          expect(lines[line! - 1]).toBeDefined();
          expect(column).toBeLessThanOrEqual(lines[line! - 1]!.length + 1);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
