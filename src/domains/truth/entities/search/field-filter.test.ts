import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '#kernel/json/canonical.ts';
import { matchesFacets } from '#kernel/search/semantic/vectors/facet-match.ts';
import { truthLimits } from '../../truth-limits.ts';
import { fieldFacet, toFacetFilters, toFieldFacets } from './field-facets.ts';
import { matchesFilter, toFieldFilters } from './field-filter.ts';

const check = (fields: Record<string, unknown>, stored: Record<string, Json>): boolean =>
  toFieldFilters(fields).every((filter) => matchesFilter(filter, stored));

const passes = (fields: Record<string, unknown>, facets: readonly string[], isPast = false): boolean =>
  matchesFacets({ [fieldFacet]: facets }, toFacetFilters(toFieldFilters(fields), isPast));

test('[TR81] compares text without case, numbers and booleans exactly, and elements of lists', () => {
  const stored = { status: ' Open ', amount: 1500, is_done: false, tags: ['Urgent', 7], nested: { a: 1 } };
  for (const fields of [
    { status: 'open' },
    { amount: 1500 },
    { is_done: false },
    { tags: 'urgent' },
    { tags: 7 },
    { amount: { min: 1500, max: 1500 }, status: 'OPEN' },
  ]) {
    expect([fields, check(fields, stored)]).toEqual([fields, true]);
  }
  for (const fields of [
    { status: 'ope' },
    { amount: '1500' },
    { is_done: true },
    { tags: 'gone' },
    { amount: { min: 1500.01 } },
    { missing: 'x' },
    { status: { min: 1 } },
    { constructor: 'x' },
  ]) {
    expect([fields, check(fields, stored)]).toEqual([fields, false]);
  }
});

test('[TR81] compares dates by time, with whole months and days as bounds', () => {
  const stored = { due: '2026-04-30', at: '2026-05-01T00:30:00+02:00', month: '2026-05' };
  expect(check({ due: { min: '2026-04', max: '2026-04' } }, stored)).toBe(true);
  expect(check({ due: { max: '2026-04-29' } }, stored)).toBe(false);
  // Half past ten in the evening of the day before in UTC.
  expect(check({ at: { max: '2026-04-30' } }, stored)).toBe(true);
  expect(check({ at: { min: '2026-05-01' } }, stored)).toBe(false);
  expect(check({ month: { min: '2026-05-01', max: '2026-05-01' } }, stored)).toBe(true);
  expect(check({ due: { min: 1 } }, stored)).toBe(false);
});

test('[TR81] rejects filters of another form', () => {
  for (const fields of [
    { a: null },
    { a: [] },
    { a: {} },
    { a: { min: 1, max: '2026-01-01' } },
    { a: { min: 'soon' } },
    { a: { mn: 1 } },
    { 'no field': 1 },
    { a: 'x'.repeat(truthLimits.filterChars + 1) },
    Object.fromEntries(Array.from({ length: truthLimits.filtersCount + 1 }, (_, i) => [`f${i}`, i])),
  ]) {
    expect(() => toFieldFilters(fields)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  }
});

const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const date = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((one) => one.toISOString());
const value = fc.oneof(number, date, fc.string(), fc.boolean());

test('facets find every entity that a filter matches', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1 }), fc.nat(), number, date, (values, pick, n, day) => {
      const stored = { a: values as readonly Json[] };
      const facets = toFieldFacets(stored, []);
      const one = values[pick % values.length]!;
      for (const fields of [
        { a: one },
        { a: { min: n } },
        { a: { max: n } },
        { a: { min: Math.min(n, 5), max: Math.max(n, 5) } },
        { a: { min: day } },
        { a: { max: day.slice(0, 7) } },
      ]) {
        if (typeof one === 'string' && one.length > truthLimits.filterChars) continue;
        if (check(fields, stored)) expect([fields, passes(fields, facets)]).toEqual([fields, true]);
      }
    }),
    { numRuns: 300 },
  );
});

test('facets leave out most other entities', () => {
  const others = Array.from({ length: 1_000 }, (_, i) => toFieldFacets({ amount: 1_000 + i, day: `x${i}` }, []));
  const count = (fields: Record<string, unknown>) => others.filter((facets) => passes(fields, facets)).length;
  expect(count({ amount: { min: 1_100, max: 1_199 } })).toBeLessThan(115);
  expect(count({ amount: 1_500 })).toBeLessThan(5);
  expect(count({ day: 'x17' })).toBeLessThan(3);
  expect(count({ amount: { max: 900 } })).toBeLessThan(60);
});

test('earlier values are found only by a filter for the past', () => {
  const facets = toFieldFacets({ employer: 'Globex' }, [{ employer: 'Acme' }, { employer: 'Globex' }]);
  expect([passes({ employer: 'acme' }, facets), passes({ employer: 'acme' }, facets, true)]).toEqual([false, true]);
  expect([passes({ employer: 'globex' }, facets), passes({ employer: 'globex' }, facets, true)]).toEqual([true, true]);
  const many = toFieldFacets({ employer: 'Globex' }, undefined);
  expect([passes({ employer: 'acme' }, many), passes({ employer: 'acme' }, many, true)]).toEqual([false, true]);
  const wide = toFieldFacets({ list: Array.from({ length: 500 }, (_, i) => `v${i}`) }, []);
  expect(passes({ list: 'v499' }, wide)).toBe(true);
});

test('an open range needs few facets', () => {
  for (const fields of [{ a: { min: 0 } }, { a: { max: 0 } }, { a: { min: -3, max: 3 } }, { a: { min: '2026-01' } }]) {
    const [filter] = toFacetFilters(toFieldFilters(fields), false);
    expect(filter!.any!.length).toBeLessThan(900);
  }
});
