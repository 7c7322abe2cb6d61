import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '#kernel/limits.ts';
import { fitBodies } from './fit-bodies.ts';

const item = (id: string, requirement: 'mandatory' | 'optional', bodyChars: number) => ({
  id,
  title: id,
  requirement,
  priority: 1,
  reasons: ['always'],
  body: 'x'.repeat(bodyChars),
});
const related = (id: string, bodyChars: number) => ({
  id,
  title: id,
  requirement: 'optional' as const,
  reason: 'words: x',
  body: 'x'.repeat(bodyChars),
});

describe('[IN50] the size of an answer', () => {
  it('gives bodies to the rules that apply first, then to those that may', () => {
    const found = [item('a', 'mandatory', 3_000), item('b', 'optional', 3_000)];
    const page = fitBodies({ found, related: [related('c', 1_000), related('d', 5_000)], limit: 50 });
    expect(page.items.every(({ body }) => body !== undefined)).toBe(true);
    expect(page.related.map(({ id, body }) => [id, body?.length])).toEqual([
      ['c', 1_000],
      ['d', undefined],
    ]);
    expect(page.leftOut).toBe('Left out: the bodies of 1 rules that may apply (instructions_get).');
  });

  it('keeps one body, however large, so that following the cursor ends', () => {
    const page = fitBodies({ found: [item('a', 'optional', 50_000)], related: [related('b', 1)], limit: 50 });
    expect(page).toMatchObject({
      bodiesCount: 1,
      items: [{ id: 'a', body: expect.any(String) }],
      related: [{ id: 'b' }],
    });
    expect(page.related[0]).not.toHaveProperty('body');
  });

  it('says nothing about an answer that is complete, and needs no rule', () => {
    expect(fitBodies({ found: [], related: [], limit: 50 })).toEqual({
      items: [],
      related: [],
      bodiesCount: 0,
      leftOut: undefined,
    });
  });

  it('lists every binding rule and keeps to the budget unless headings or one body exceed it', () => {
    const sizes = fc.array(fc.nat({ max: 4_000 }), { maxLength: 20 });
    fc.assert(
      fc.property(sizes, sizes, sizes, fc.integer({ min: 1, max: 30 }), (binding, others, byText, limit) => {
        const found = [
          ...binding.map((size, i) => item(`m${i}`, 'mandatory', size)),
          ...others.map((size, i) => item(`o${i}`, 'optional', size)),
        ];
        const page = fitBodies({ found, related: byText.map((size, i) => related(`t${i}`, size)), limit });
        expect(page.items.map(({ id }) => id)).toEqual(
          found.slice(0, Math.max(limit, binding.length)).map(({ id }) => id),
        );
        expect(page.related).toHaveLength(byText.length);
        expect(page.items.filter(({ body }) => body !== undefined)).toHaveLength(page.bodiesCount);
        if (page.bodiesCount > 1) {
          expect(Buffer.byteLength(JSON.stringify([...page.items, ...page.related]))).toBeLessThanOrEqual(
            limits.pageBytes,
          );
        }
      }),
    );
  });
});
