import { expect, it } from 'vitest';
import { knowledgeLimits } from '../../knowledge-limits.ts';
import { openPages } from './inline-pages.ts';

const { inlineChars } = knowledgeLimits;

it('accepts inline pages up to the maximum total size and rejects one character more', () => {
  const half = { content: 'x'.repeat(inlineChars / 2) };
  const pages = [
    { path: 'a.md', ...half },
    { path: 'b.md', ...half },
  ];
  expect(openPages(pages, false).pages).toHaveLength(2);
  expect(() => openPages([...pages, { path: 'c.md', content: 'x' }], false)).toThrow(
    expect.objectContaining({ code: 'RESOURCE_LIMIT' }),
  );
});

it.each(['', '/a.md', '../a.md', 'a/../b.md', 'a//b.md', './a.md', 'C:/a.md', 'C:\\a.md', 'a\n.md', 'a/'])(
  'rejects the path %j',
  (path) => {
    expect(() => openPages([{ path, content: 'x' }], false)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR' }),
    );
  },
);

it('rejects a path that occurs twice in different spellings', () => {
  const pages = ['a/b.md', 'a\\b.md'].map((path) => ({ path, content: 'x' }));
  expect(() => openPages(pages, false)).toThrow(/occurs twice/);
  expect(openPages(pages.slice(1), false).pages[0]!.path).toBe('a/b.md');
});

it('reads pages with an unknown ending as Markdown', () => {
  const formats = ['a.html', 'a.txt', 'a'].map((path) => openPages([{ path, content: 'x' }], false).pages[0]!.format);
  expect(formats).toEqual(['html', 'plain', 'markdown']);
});
