import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { limits } from '../limits.ts';
import { cutBeginning, fitPage, jsonBytes } from './budget.ts';

const byteLength = (items: readonly unknown[]) => Buffer.byteLength(JSON.stringify(items)) - '[]'.length;

describe('a page', () => {
  it('is the longest prefix that fits, at least one item, and reports its size', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), fc.nat(200), (items, budgetBytes) => {
        const page = fitPage(items, budgetBytes);
        expect(page.items).toEqual(items.slice(0, page.items.length));
        expect(page.bytes).toBe(page.items.length === 0 ? 0 : byteLength(page.items));
        expect(page.more).toBe(page.items.length < items.length);
        if (page.items.length > 1) expect(page.bytes).toBeLessThanOrEqual(budgetBytes);
        if (items.length > 0) expect(page.items.length).toBeGreaterThan(0);
        if (page.more) expect(byteLength(items.slice(0, page.items.length + 1))).toBeGreaterThan(budgetBytes);
      }),
    );
  });

  it('counts bytes, not characters', () => {
    expect(fitPage(['äää', 'b'], 9).items).toEqual(['äää']);
    expect(fitPage(['aaa', 'b'], 9).items).toEqual(['aaa', 'b']);
    expect(jsonBytes({ a: 'ä' })).toBe(10);
  });

  it('uses the page budget of the program by default', () => {
    const items = Array.from({ length: 10 }, () => 'x'.repeat(1_000));
    expect(fitPage(items)).toMatchObject({ more: true, bytes: 8 * 1_003 - 1 });
    expect(fitPage(items).bytes).toBeLessThanOrEqual(limits.pageBytes);
  });

  it('returns an item larger than the whole budget alone', () => {
    expect(fitPage(['x'.repeat(100), 'y'], 10)).toEqual({ items: ['x'.repeat(100)], more: true, bytes: 102 });
  });

  it('reads one item more than it returns, however many there are', () => {
    let seen = 0;
    const page = fitPage(
      (function* () {
        for (seen = 1; ; seen += 1) yield seen;
      })(),
      10,
    );
    expect(page.items).toEqual([1, 2, 3, 4, 5]);
    expect(seen).toBe(6);
  });
});

test('a beginning is one line, short enough, and ends with a whole character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 8, max: 60 }), (text, chars) => {
      const cut = cutBeginning(text, chars);
      expect(cut.length).toBeLessThanOrEqual(chars);
      expect(cut.isWellFormed()).toBe(true);
      expect(cut).not.toMatch(/[\r\n]/);
    }),
  );
});
