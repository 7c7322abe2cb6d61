import { expect, it } from 'vitest';
import { knowledgeLimits } from '../../knowledge-limits.ts';
import { openPages } from './inline-pages.ts';

const { inlineChars } = knowledgeLimits;

it('pages that come with the call are taken up to a bound of all together, and refused one character beyond it', () => {
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
  '%j is no path inside a library',
  (path) => {
    expect(() => openPages([{ path, content: 'x' }], false)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR' }),
    );
  },
);

it('a path is there once, however it is written', () => {
  const pages = ['a/b.md', 'a\\b.md'].map((path) => ({ path, content: 'x' }));
  expect(() => openPages(pages, false)).toThrow(/is there twice/);
  expect(openPages(pages.slice(1), false).pages[0]!.path).toBe('a/b.md');
});

it('what its path does not say is read as Markdown', () => {
  const formats = ['a.html', 'a.txt', 'a'].map((path) => openPages([{ path, content: 'x' }], false).pages[0]!.format);
  expect(formats).toEqual(['html', 'plain', 'markdown']);
});
