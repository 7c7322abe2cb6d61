import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { highlightRanges, toEntryHighlights } from './search-hits.ts';

describe('highlights', () => {
  it('cuts a snippet around the matches with their positions', () => {
    const text = `${'lead '.repeat(100)}needle ${'tail '.repeat(100)}`;
    const start = text.indexOf('needle');
    const mark = highlightRanges('x', 'body', text, [{ start, end: start + 6 }]);
    expect(mark).toMatchObject({ id: 'x', field: 'body' });
    expect(mark?.ranges.map(([from, to]) => mark.snippet.slice(from, to))).toEqual(['needle']);
    expect(mark!.snippet.length).toBeLessThan(200);
  });

  it('returns nothing for empty matches', () => {
    expect(highlightRanges('x', 'body', 'text', [{ start: 4, end: 4 }])).toBeUndefined();
  });

  it('keeps all ranges inside the snippet', () => {
    const found = fc
      .tuple(fc.string({ minLength: 1, maxLength: 400 }), fc.nat(), fc.nat({ max: 30 }))
      .map(([text, at, length]) => {
        const start = at % text.length;
        return { text, start, end: Math.min(text.length, start + 1 + length) };
      });
    fc.assert(
      fc.property(found, ({ text, start, end }) => {
        const mark = highlightRanges('x', 'title', text, [{ start, end }])!;
        for (const [from, to] of mark.ranges) {
          expect(from).toBeLessThan(to);
          expect(to).toBeLessThanOrEqual(mark.snippet.length);
          expect(text).toContain(mark.snippet.slice(from, to));
        }
      }),
    );
  });

  it('uses the field names of the entry and drops a summary that repeats the body', () => {
    const given = { snippet: 's', ranges: [] };
    const ofSummary = { ...given, field: 'summary' };
    const ofBody = { ...given, field: 'body' };
    expect(toEntryHighlights('x', [ofSummary])).toEqual([{ id: 'x', ...given, field: 'semanticSummary' }]);
    expect(toEntryHighlights('x', [ofSummary, ofBody])).toEqual([{ id: 'x', ...ofBody }]);
  });
});
