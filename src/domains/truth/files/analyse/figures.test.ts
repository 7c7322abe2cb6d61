import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findAmounts, lastMoney, parseNumber } from './amounts.ts';
import { dateOrderOf, findDates } from './dates.ts';
import { toAccount, toIdentifier, toTaxId } from './labels.ts';
import { toName } from './party-names.ts';

test('parses numbers in common notations and rejects everything else', () => {
  const written: readonly (readonly [string, number | undefined])[] = [
    ['1,234.56', 1234.56],
    ['1.234,56', 1234.56],
    ['1 234,56', 1234.56],
    ["1'234.50", 1234.5],
    ['1,234,567.8', 1234567.8],
    ['1,234', 1234],
    ['1.234', 1234],
    ['12,5', 12.5],
    ['0.99', 0.99],
    ['42', 42],
    ['1.2.3', undefined],
    ['12 34', undefined],
    ['1,23,4', undefined],
    ['1.234.56', undefined],
  ];
  for (const [text, value] of written) expect(parseNumber(text), text).toBe(value);
});

test('reads back a number written in either notation', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e11 }), fc.constantFrom('en-US', 'de-DE', 'de-CH'), (cents, locale) => {
      const text = (cents / 100).toLocaleString(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
      expect(parseNumber(text)).toBe(cents / 100);
    }),
  );
});

test('finds the currency next to an amount, and ignores percentages, dates and codes', () => {
  expect(findAmounts('EUR 10.00 and 12.50 USD, $3')).toEqual([
    { value: 10, currency: 'EUR', isMoney: true },
    { value: 12.5, currency: 'USD', isMoney: true },
    { value: 3, currency: 'USD', isMoney: true },
  ]);
  expect(findAmounts('19% A-12 2026-05-31 x7 31/05/2026').filter(({ isMoney }) => isMoney)).toEqual([]);
  expect(lastMoney('3 x 5.00 15.00')).toEqual({ value: 15, isMoney: true });
  expect([lastMoney('-3.50')?.value, lastMoney('(3.50)')?.value, lastMoney('$-3.50')?.value]).toEqual([
    -3.5, -3.5, -3.5,
  ]);
});

test('parses dates in every notation and ignores dates that do not exist', () => {
  const written: readonly (readonly [string, string | undefined])[] = [
    ['2026-05-31', '2026-05-31'],
    ['2026/5/1', '2026-05-01'],
    ['31.05.2026', '2026-05-31'],
    ['31/05/2026', '2026-05-31'],
    ['05/31/2026', '2026-05-31'],
    ['1.6.26', '2026-06-01'],
    ['31 May 2026', '2026-05-31'],
    ['31st of May 2026', '2026-05-31'],
    ['May 31, 2026', '2026-05-31'],
    ['Dec. 1, 2026', '2026-12-01'],
    ['3. März 2026', '2026-03-03'],
    ['3 de marzo de 2026', '2026-03-03'],
    ['1-Jan-2026', '2026-01-01'],
    ['2026-02-30', undefined],
    ['31.04.2026', undefined],
    ['31 Foo 2026', undefined],
    ['13/13/2026', undefined],
    ['1.2.3', undefined],
  ];
  for (const [text, date] of written) expect(findDates(`on ${text}.`, 'day-first')[0], text).toBe(date);
});

test('derives the order of day and month from the rest of the document', () => {
  expect(dateOrderOf('03/04/2026 and 03/31/2026')).toBe('month-first');
  expect(dateOrderOf('03/04/2026 and 31/03/2026')).toBe('day-first');
  expect(dateOrderOf('03/04/2026 $5')).toBe('month-first');
  expect(dateOrderOf('03/04/2026 £5')).toBe('day-first');
  expect(findDates('03/04/2026 03.04.2026', 'month-first')).toEqual(['2026-03-04', '2026-04-03']);
});

test('reads back any day from every notation', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('1950-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }), (day) => {
      const iso = day.toISOString().slice(0, 10);
      const [y, m, d] = iso.split('-');
      const long = day.toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'long' });
      for (const text of [iso, `${d}.${m}.${y}`, long]) expect(findDates(text, 'day-first'), text).toEqual([iso]);
      expect(findDates(`${m}/${d}/${y}`, 'month-first')).toEqual([iso]);
    }),
  );
});

test('distinguishes document numbers, tax numbers and accounts from words and dates', () => {
  expect([toIdentifier('INV-7.'), toIdentifier('# 42'), toIdentifier('Date'), toIdentifier('2026-01-01')]).toEqual([
    'INV-7',
    '42',
    undefined,
    undefined,
  ]);
  expect([toTaxId('DE 123 456 789'), toTaxId('12-3456789'), toTaxId('19% 12'), toTaxId('none')]).toEqual([
    'DE123456789',
    '12-3456789',
    undefined,
    undefined,
  ]);
  expect([toAccount('DE89 3704 0044 0532 0130 00'), toAccount('****1234'), toAccount('Savings')]).toEqual([
    'DE89370400440532013000',
    '****1234',
    undefined,
  ]);
});

test('cuts a name where it ends and rejects text that is not a name', () => {
  expect(toName('Ada Lovelace <ada@example.com>')).toBe('Ada Lovelace');
  expect(toName('Acme, Inc., a Delaware corporation')).toBe('Acme, Inc.');
  expect(toName('Acme GmbH (“Acme”)')).toBe('Acme GmbH');
  for (const text of ['Invoice date', 'Closing balance', '12 Main Street', 'a@b.c', '', '—', 'x'.repeat(200)])
    expect(toName(text)).toBeUndefined();
});
