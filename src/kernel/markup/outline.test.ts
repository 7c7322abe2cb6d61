import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutFrontMatter } from './front-matter.ts';
import { cutComments, plainText, readOutline, toAnchor } from './outline.ts';

const titles = (markdown: string) => readOutline(markdown).map(({ level, title }) => `${level} ${title}`);

describe('the outline of a page', () => {
  it('has a section for each heading, with its text and the headings above', () => {
    const page = 'Before.\n\n# Hooks\n\nIntro.\n\n## Around hooks\n\nText.\n\n### Deep\n\nMore.\n\n## Order\n';
    expect(readOutline(page)).toEqual([
      { level: 0, title: '', anchor: '', breadcrumb: [], text: 'Before.', line: 1 },
      { level: 1, title: 'Hooks', anchor: 'hooks', breadcrumb: ['Hooks'], text: 'Intro.', line: 3 },
      {
        level: 2,
        title: 'Around hooks',
        anchor: 'around-hooks',
        breadcrumb: ['Hooks', 'Around hooks'],
        text: 'Text.',
        line: 7,
      },
      {
        level: 3,
        title: 'Deep',
        anchor: 'deep',
        breadcrumb: ['Hooks', 'Around hooks', 'Deep'],
        text: 'More.',
        line: 11,
      },
      { level: 2, title: 'Order', anchor: 'order', breadcrumb: ['Hooks', 'Order'], text: '', line: 15 },
    ]);
  });

  it('recognises setext, closed and manually anchored headings', () => {
    expect(titles('Title\n=====\n\nPart\n---\n\n## Closed ##\n\n## C# ##')).toEqual([
      '1 Title',
      '2 Part',
      '2 Closed',
      '2 C#',
    ]);
    expect(readOutline('## A name {#my-name}')[0]).toMatchObject({ title: 'A name', anchor: 'my-name' });
  });

  it.each([
    ['a fence', '# A\n\n```sh\n# not one\n```\n'],
    ['a fence of tildes that holds back-ticks', '# A\n\n~~~\n```\n# not one\n~~~\n'],
    ['a fence that nothing closes', '# A\n\n```\n# not one\n## nor this\n'],
    ['a comment', '# A\n\n<!--\n# not one\n-->\n'],
    ['indented code', '# A\n\n    # not one\n'],
    ['a tag without a blank', '# A\n\n#not-one\n'],
    ['a rule below a list', '# A\n\n- item\n---\n'],
  ])('finds no heading in %s', (_where, page) => {
    expect(titles(page)).toEqual(['1 A']);
  });

  it('gives each heading of a page its own anchor', () => {
    const anchors = (page: string) => readOutline(page).map(({ anchor }) => anchor);
    expect(anchors('# A\n# A\n# A-1\n# A')).toEqual(['a', 'a-1', 'a-1-1', 'a-2']);
    fc.assert(
      fc.property(fc.array(fc.constantFrom('# a', '# a-1', '## b', '# b 1', '# `a`'), { maxLength: 12 }), (lines) => {
        const found = anchors(lines.join('\n'));
        expect(new Set(found).size).toBe(lines.length);
      }),
    );
  });

  it('loses no line except headings', () => {
    const line = fc.constantFrom('text', '', '# h', '```', '<!-- x -->', '~~~', '  - item', '    code', '| a |');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        const kept = readOutline(lines.join('\n')).flatMap(({ text }) => text.split('\n'));
        const count = (of: readonly string[]) => of.filter((one) => one === 'text').length;
        expect(count(kept)).toBe(count(lines));
      }),
    );
  });
});

it('makes anchors like GitHub', () => {
  expect(toAnchor('Nested routes: /users/:userId')).toBe('nested-routes-usersuserid');
  expect(toAnchor('Größe _id $or')).toBe('größe-_id-or');
});

it.each([
  ['Use `app.use` and **hooks**', 'Use app.use and hooks'],
  ['See [the guide](https://example.com/x "t") now', 'See the guide now'],
  ['Methods: _find, _get, __dirname', 'Methods: _find, _get, __dirname'],
  ['_very_ and __much__ so', 'very and much so'],
  ['user_id and snake_case_name', 'user_id and snake_case_name'],
  ['A <Badge type="tip" /> here', 'A here'],
])('the plain text of %j is %j', (line, plain) => {
  expect(plainText(line)).toBe(plain);
});

it('cuts comments, also an unclosed one', () => {
  expect(cutComments('a<!-- b -->c<!--d--> e')).toBe('ac e');
  expect(cutComments('a <!-- b')).toBe('a ');
  expect(cutComments('none')).toBe('none');
});

it('front matter is between two lines of dashes at the beginning', () => {
  expect(cutFrontMatter('---\na: 1\n---\nbody')).toEqual({ frontMatter: ['a: 1'], body: 'body' });
  expect(cutFrontMatter('text\n---\na\n---')).toEqual({ frontMatter: undefined, body: 'text\n---\na\n---' });
  expect(cutFrontMatter('---\nnever closed')).toEqual({ frontMatter: undefined, body: '---\nnever closed' });
});
