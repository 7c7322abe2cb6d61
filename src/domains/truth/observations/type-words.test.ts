import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { typePattern } from '../truth-vocabulary.ts';
import { nearTypes, normaliseType } from './type-words.ts';

describe('[TR65] type words', () => {
  test.each([
    ['Companies', 'company'],
    ['People', 'person'],
    ['Sales Orders', 'sales_order'],
    ['salesOrder', 'sales_order'],
    ['SALES-ORDERS', 'sales_order'],
    ['status', 'status'],
    ['Statuses', 'status'],
    ['news', 'news'],
    ['address', 'address'],
    ['Addresses', 'address'],
    ['analysis', 'analysis'],
    ['analyses', 'analysis'],
    ['Categories', 'category'],
    ['boxes', 'box'],
    ['branches', 'branch'],
    ['invoices', 'invoice'],
    ['purchases', 'purchase'],
    ['houses', 'house'],
    ['processes', 'process'],
    ['series', 'series'],
    ['bus', 'bus'],
    ['children', 'child'],
    ['movies', 'movie'],
    ['Café', 'cafe'],
    ['  person  ', 'person'],
    ['data', 'data'],
    ['keys', 'key'],
    ['employees', 'employee'],
    ['Q1 goals', 'q1_goal'],
  ])('%j is %j', (word, type) => {
    expect(normaliseType(word)).toBe(type);
  });

  test.each(['', ' ', '!!', '中文', '1st'])('%j is not a type', (word) => {
    expect(normaliseType(word)).toBeUndefined();
  });

  test('normalising twice changes nothing, and the result is a valid type', () => {
    const word = fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[a-z]{1,12}(?:ies|es|ses|s|us|is)?$/));
    fc.assert(
      fc.property(word, (text) => {
        const type = normaliseType(text);
        if (type === undefined) return;
        expect(type).toMatch(typePattern);
        expect(normaliseType(type)).toBe(type);
      }),
      { numRuns: 2_000 },
    );
  });

  test('suggests the known types that are a letter or two away, the closest first', () => {
    const known = ['person', 'company', 'project', 'product', 'place', 'task', 'note', 'decision', 'preference'];
    expect(nearTypes('Compny', known)).toEqual(['company']);
    expect(nearTypes('perosn', known)).toEqual(['person']);
    expect(nearTypes('prefrences', known)).toEqual(['preference']);
    expect(nearTypes('people', known)).toEqual(['person']);
    expect(nearTypes('projct', known)).toEqual(['project']);
    // A known word, a short one, and one that is like none.
    expect(nearTypes('person', known)).toEqual([]);
    expect(nearTypes('tsk', known)).toEqual([]);
    expect(nearTypes('spaceship', known)).toEqual([]);
  });
});
