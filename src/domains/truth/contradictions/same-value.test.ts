import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '#kernel/json/canonical.ts';
import { isSameValue } from './same-value.ts';

describe('[TR97] two values say the same', () => {
  test.each<[string, Json, Json, string]>([
    ['as numbers', 1500, '1,500.00', 'amount'],
    ['as amounts of one currency', '$1,500.00', '1500 USD', 'amount'],
    ['as amounts of which one has no currency', '€ 1.500,00', 1500, 'amount'],
    ['in another case', 'Paid', ' paid', 'status'],
    ['with other blanks and a dot', 'Main  Street 1.', 'main street 1', 'address'],
    ['with another company form', 'ACME Inc.', 'acme', 'vendor_name'],
    ['as one date in two forms', '15 January 2025', '2025-01-15', 'due'],
    ['as a date and its month', '2025-01', '2025-01-15', 'due'],
    ['as one moment in two zones', '2025-01-15T10:00:00Z', '2025-01-15T12:00:00+02:00', 'due'],
    ['as a truth value in words', true, 'yes', 'is_paid'],
    ['in a list', ['A', 1], ['a', '1.00'], 'list'],
    ['in an object', { city: 'Bonn', zip: null }, { city: 'BONN' }, 'place'],
  ])('%s', (_, a, b, field) => {
    expect(isSameValue(a, b, field)).toBe(true);
    expect(isSameValue(b, a, field)).toBe(true);
  });

  test.each<[string, Json, Json, string]>([
    ['other numbers', 1500, '1,500.50', 'amount'],
    ['amounts of two currencies', '$1,500.00', '1,500.00 EUR', 'amount'],
    ['other texts', 'open', 'paid', 'status'],
    ['another company', 'Acme Inc', 'Apex Inc', 'vendor_name'],
    ['a company form in a field that has no names', 'plan limited', 'plan', 'status'],
    ['other dates', '2025-01-15', '2025-01-16', 'due'],
    ['a number and a text', 15, 'fifteen', 'count'],
    ['the end of a field', null, 15, 'count'],
    ['another order of a list', [1, 2], [2, 1], 'list'],
    ['a longer list', [1], [1, 2], 'list'],
    ['another member', { a: 1 }, { b: 1 }, 'place'],
  ])('but not %s', (_, a, b, field) => {
    expect(isSameValue(a, b, field)).toBe(false);
    expect(isSameValue(b, a, field)).toBe(false);
  });

  test('whichever comes first, and every value as itself', () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom('1,500.00', '2025-01', '15 January 2025', 'yes'),
    ) as fc.Arbitrary<Json>;
    fc.assert(
      fc.property(value, value, fc.constantFrom('name', 'amount'), (a, b, field) => {
        expect(isSameValue(a, b, field)).toBe(isSameValue(b, a, field));
        expect(isSameValue(a, a, field)).toBe(true);
      }),
    );
  });
});
