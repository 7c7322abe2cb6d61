import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Block, createAnchors, cutText, packBlocks, toSections, toSlug } from './page-sections.ts';

const heading = (level: number, title: string): Block => ({ kind: 'heading', level, title });
const text = (words: string): Block => ({ kind: 'text', text: words });

const stretch = fc.record({
  kind: fc.constantFrom('text' as const, 'code' as const),
  text: fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }).map((made) => made.toWellFormed()),
    fc.lorem({ maxCount: 30 }),
    fc.array(fc.lorem({ maxCount: 4 }), { minLength: 1, maxLength: 12 }).map((lines) => lines.join('\n')),
  ),
});

describe('cutText', () => {
  test('[KN12] keeps all text within the limit and never splits a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.integer({ min: 2, max: 40 }), (made, chars) => {
        const whole = made.toWellFormed();
        const pieces = cutText(whole, chars);
        expect(pieces.join('')).toBe(whole);
        for (const piece of pieces) {
          expect(piece.length).toBeLessThanOrEqual(chars);
          expect(piece).not.toBe('');
          expect(piece.isWellFormed()).toBe(true);
        }
      }),
    );
  });

  test('prefers to cut after a line, a sentence or a word', () => {
    expect(cutText('one two\nthree four five', 12)).toEqual(['one two\n', 'three four ', 'five']);
    expect(cutText('It is so. And more', 12)).toEqual(['It is so. ', 'And more']);
    expect(cutText('x'.repeat(5), 2)).toEqual(['xx', 'xx', 'x']);
  });
});

describe('packBlocks', () => {
  test('[KN12] keeps blocks that fit whole and in order, and splits longer ones without loss', () => {
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 12 }), fc.integer({ min: 20, max: 120 }), (stretches, chars) => {
        const pieces = packBlocks(stretches, chars);
        for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(chars);
        let at = 0;
        const all = pieces.join('\n\n');
        for (const { text: whole } of stretches) {
          if (whole.length > chars) continue;
          const found = all.indexOf(whole, at);
          expect(found).toBeGreaterThanOrEqual(at);
          expect(pieces.some((piece) => piece.includes(whole))).toBe(true);
          at = found;
        }
        const bare = (some: readonly string[]): string => some.join('').replaceAll(/\s/g, '');
        expect(bare(pieces)).toBe(bare(stretches.map((one) => one.text)));
      }),
    );
  });
});

describe('toSections', () => {
  test('[KN12] keeps all text of a page in order, within the limit, with unique anchors', () => {
    const block = fc.oneof(
      { weight: 3, arbitrary: stretch },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant('heading' as const),
          level: fc.integer({ min: 1, max: 6 }),
          title: fc.lorem({ maxCount: 2 }),
        }),
      },
    );
    fc.assert(
      fc.property(fc.array(block, { maxLength: 25 }), (blocks) => {
        const sections = toSections('Page', blocks, 80);
        const bare = (some: readonly string[]): string => some.join('').replaceAll(/\s/g, '');
        expect(bare(sections.map((one) => one.text))).toBe(
          bare(blocks.flatMap((one) => (one.kind === 'heading' ? [] : [one.text]))),
        );
        expect(new Set(sections.map(({ anchor }) => anchor)).size).toBe(sections.length);
        const titles = new Set(sections.flatMap(({ breadcrumb }) => breadcrumb));
        for (const one of blocks) if (one.kind === 'heading') expect(titles).toContain(one.title);
        for (const { text: body, title, breadcrumb } of sections) {
          expect(body.length).toBeLessThanOrEqual(80);
          expect(breadcrumb.at(-1)).toBe(title);
        }
      }),
    );
  });

  test('uses the headings above as breadcrumb, without repeating the page title', () => {
    const blocks = [
      heading(1, 'Hooks'),
      text('a'),
      heading(2, 'Around'),
      heading(3, 'Order'),
      text('b'),
      heading(2, 'Errors'),
      text('c'),
    ];
    expect(
      toSections('Hooks', blocks).map(({ anchor, breadcrumb, level }) => [anchor, breadcrumb.join(' › '), level]),
    ).toEqual([
      ['hooks', 'Hooks', 1],
      ['order', 'Hooks › Around › Order', 3],
      ['errors', 'Hooks › Errors', 2],
    ]);
    expect(toSections('Guide', blocks)[1]?.breadcrumb).toEqual(['Guide', 'Hooks', 'Around', 'Order']);
  });

  test('splits long sections under the same title and puts text before any heading on top', () => {
    const sections = toSections(
      'Page',
      [text('x'.repeat(30)), heading(2, 'Long'), text('y'.repeat(60)), text('z')],
      40,
    );
    expect(sections.map(({ anchor, title, level, text: body }) => [anchor, title, level, body.length])).toEqual([
      ['top', 'Page', 1, 30],
      ['long', 'Long', 2, 40],
      ['long~2', 'Long', 0, 23],
    ]);
  });

  test('numbers equal anchors as GitHub does', () => {
    const anchorOf = createAnchors();
    expect(['usage', 'usage', 'usage-1', 'usage', ''].map(anchorOf)).toEqual([
      'usage',
      'usage-1',
      'usage-1-1',
      'usage-2',
      'section',
    ]);
    expect(toSlug('`app.use(path)` — Über alles!')).toBe('appusepath--über-alles');
  });
});
