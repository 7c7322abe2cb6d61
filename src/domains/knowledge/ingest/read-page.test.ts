import { describe, expect, it } from 'vitest';
import { knowledgeLimits } from '../knowledge-limits.ts';
import type { NewPage } from '../libraries/write-pages.ts';
import type { Format } from './formats/page-format.ts';
import { readPage } from './read-page.ts';

const read = (path: string, text: string, more: { readonly format?: Format; readonly title?: string } = {}) =>
  readPage({ path, format: 'markdown', text, ...more }, 'hash');
const good = (...args: Parameters<typeof read>): NewPage => read(...args) as NewPage;

describe('the title of a page', () => {
  it('is the given title, else its own, else that of its file or folder', () => {
    expect(good('a.md', '# Own\n\nText.', { title: 'Given' }).title).toBe('Given');
    expect(good('a.md', '# Own\n\nText.').title).toBe('Own');
    expect(good('lib/index.d.ts', 'export declare const x: 1;', { format: 'declarations' }).title).toBe(
      'lib/index.d.ts',
    );
    expect(good('guides/getting_started-now.md', 'Text.').title).toBe('getting started now');
    expect(good('guides/hooks/README.md', 'Text.').title).toBe('hooks');
    expect(good('guides/hooks/other.md', 'Text.').title).toBe('other');
    expect(good('index.md', 'Text.').title).toBe('index');
    expect(good('-.md', 'Text.').title).toBe('-.md');
  });

  it('is cut at the maximum length', () => {
    const chars = knowledgeLimits.titleChars;
    const { title, sections } = good('a.md', `# ${'x'.repeat(chars + 1)}\n\nText.`);
    expect([title.length, sections[0]!.title.length, sections[0]!.anchor.length]).toEqual([
      chars,
      chars,
      knowledgeLimits.anchorChars,
    ]);
  });
});

it('derives the category from the path and format', () => {
  expect(good('a.md', 'Text.').category).toBe('docs');
  expect(good('lib/CHANGELOG.md', 'Text.').category).toBe('changelog');
  expect(good('a.d.ts', 'export declare const x: 1;', { format: 'declarations' }).category).toBe('types');
});

describe('a page with many sections', () => {
  const count = knowledgeLimits.sectionsCount;
  const tooMany = { reason: `it has more than ${count} sections` };

  it('is read up to the maximum and skipped above it', () => {
    expect(good('a.md', '# T\n\nx\n'.repeat(count)).sections).toHaveLength(count);
    expect(read('a.md', '# T\n\nx\n'.repeat(count + 1))).toEqual(tooMany);
  });

  it('also counts headings without text and text before the first heading', () => {
    expect(read('a.md', `${'# T\n## U\n'.repeat(count / 2)}# V\n\nx`)).toEqual(tooMany);
    expect(read('a.md', `x\n${'# T\n\nx\n'.repeat(count)}`)).toEqual(tooMany);
  });
});

it('skips a page without text and ignores declarations that only re-export', () => {
  expect(read('a.md', '\n\n')).toEqual({ reason: 'it contains no text' });
  expect(read('a.d.ts', "export * from './b.js';", { format: 'declarations' })).toBeUndefined();
});
