import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '#kernel/json/canonical.ts';
import { dateToMs } from '../iso-time.ts';
import { truthLimits } from '../truth-limits.ts';
import { type FieldType, fieldTypes, type SchemaField, strategies } from './entity-schema.ts';
import { fitValue, readValue } from './fit-value.ts';

const hold = (type: FieldType, value: Json) => fitValue({ type }, value);
const merge = (type: FieldType, value: Json) => fitValue({ type, strategy: 'merge_array' }, value);

describe('a field', () => {
  test.each<[FieldType, Json]>([
    ['string', ''],
    ['string', '12'],
    ['number', -0.5],
    ['boolean', false],
    ['date', '2024-02-29'],
    ['array', [1, 'a', null]],
    ['object', { a: [1] }],
  ])('of type %s accepts %j unchanged', (type, value) => {
    expect(hold(type, value)).toEqual(value);
  });

  test.each<[FieldType, Json]>([
    ['string', 12],
    ['string', ['a']],
    ['number', true],
    ['number', Number.POSITIVE_INFINITY],
    ['boolean', 'true'],
    ['boolean', 0],
    ['date', 1_700_000_000],
    ['array', 'a'],
    ['array', { 0: 'a' }],
    ['object', [1]],
    ['object', 'a'],
  ])('of type %s rejects %j', (type, value) => {
    expect(hold(type, value)).toBeUndefined();
  });

  test('[TR10] null fits no field', () => {
    for (const type of fieldTypes) expect([hold(type, null), merge(type, null)]).toEqual([undefined, undefined]);
  });

  test.each<[string, number]>([
    ['0', 0],
    ['1500', 1500],
    ['1500.00', 1500],
    ['-12.50', -12.5],
    ['0.1', 0.1],
    ['0.000001', 0.000001],
    ['9007199254740991', 9_007_199_254_740_991],
  ])('accepts a number written as %s', (text, number) => {
    expect(hold('number', text)).toBe(number);
  });

  test.each([
    '',
    ' 1',
    '1 ',
    '+1',
    '01',
    '.5',
    '1.',
    '1e3',
    '0x10',
    '1,500',
    '1.500',
    '-12.345',
    '-0',
    '-0.0',
    '9007199254740993',
    '0.1000000000000000055511151231257827',
    'NaN',
    'Infinity',
    `1${'0'.repeat(500)}`,
  ])('rejects a number that is not plain, exact and clear: %s', (text) => {
    expect(hold('number', text)).toBeUndefined();
  });

  test('a number read from text equals the text', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.nat({ max: 3 }), (number, zeros) => {
        const text = String(number);
        const padded =
          zeros === 0 ? text : text.includes('.') ? text + '0'.repeat(zeros) : `${text}.${'0'.repeat(zeros)}`;
        const isThousand = /^-?[1-9]\d{0,2}\.\d{3}$/.test(padded);
        if (/e/.test(text) || isThousand) return;
        expect(hold('number', padded)).toBe(number === 0 ? 0 : number);
      }),
    );
  });
});

describe('a date', () => {
  test.each<[string, string]>([
    ['2025-01-15', '2025-01-15T00:00:00.000Z'],
    ['2000-02-29', '2000-02-29T00:00:00.000Z'],
    ['2025-01-15T10:30', '2025-01-15T10:30:00.000Z'],
    ['2025-01-15T10:30:59Z', '2025-01-15T10:30:59.000Z'],
    ['2025-01-15T10:30:00.5+02:00', '2025-01-15T08:30:00.500Z'],
    ['2025-01-15T23:30:00-01:30', '2025-01-16T01:00:00.000Z'],
    ['0099-01-01', '0099-01-01T00:00:00.000Z'],
    ['2025-01-15T10:30:00.123456789Z', '2025-01-15T10:30:00.123Z'],
  ])('keeps %s as written and knows its time', (text, moment) => {
    expect(hold('date', text)).toBe(text);
    expect(new Date(dateToMs(text)!).toISOString()).toBe(moment);
  });

  test.each([
    '2025-02-29',
    '1900-02-29',
    '2025-04-31',
    '2025-13-01',
    '2025-00-10',
    '2025-01-00',
    '2025-1-5',
    '20250115',
    '15.01.2025',
    '01/15/2025',
    '2025-01-15 10:30',
    '2025-01-15T24:00',
    '2025-01-15T10:60',
    '2025-01-15T10:30:60Z',
    '2025-01-15T10:30:00+24:00',
    '2025-01-15T10',
    '2025-01-15Z',
    '2025-01-15T10:30:00z',
    '２０２５-01-15',
    '2025-01-15\n',
    'yesterday',
    '',
  ])('rejects %j', (text) => {
    expect(hold('date', text)).toBeUndefined();
    expect(dateToMs(text)).toBeUndefined();
  });

  test('reads back every time that this machine can print', () => {
    const moments = fc.date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moments, (moment) => {
        expect(dateToMs(moment.toISOString())).toBe(moment.getTime());
      }),
    );
  });
});

describe('a merged array', () => {
  test('accepts a single value as one element; other strategies do not accept it as an array', () => {
    expect(merge('array', 'a')).toEqual(['a']);
    expect(merge('array', { a: 1 })).toEqual([{ a: 1 }]);
    expect(merge('string', 'a')).toBe('a');
    expect(hold('array', 'a')).toBeUndefined();
  });

  test('of one type contains elements of that type', () => {
    expect(merge('number', ['1.50', 2, null])).toEqual([1.5, 2, null]);
    expect(merge('string', ['a', 1])).toBeUndefined();
    expect(merge('date', ['2025-01-15', '2025-02-30'])).toBeUndefined();
    expect(merge('string', 1)).toBeUndefined();
  });

  test('rejects an element that is too long', () => {
    const fitting = 'é'.repeat((truthLimits.elementBytes - 2) / 2);
    expect(merge('array', [fitting])).toEqual([fitting]);
    expect(merge('array', ['short', `${fitting}x`])).toBeUndefined();
    expect(merge('string', `${fitting}x`)).toBeUndefined();
    expect(hold('string', `${fitting}x`)).toBe(`${fitting}x`);
  });
});

describe('[TR90] a new statement', () => {
  const read = (type: FieldType, value: Json) => readValue({ type }, value);

  test.each<[string, number]>([
    ['1,500.00', 1500],
    ['1.500,00', 1500],
    ['1 500', 1500],
    ['1\u202f500,50', 1500.5],
    ["1'234.50", 1234.5],
    ['1,234,567', 1_234_567],
    ['1.234.567', 1_234_567],
    ['1,50,000.00', 150_000],
    ['1500,00', 1500],
    ['12,5', 12.5],
    ['0.125', 0.125],
    ['1234.567', 1234.567],
    [' 1500 ', 1500],
    ['+1,500.00', 1500],
    ['\u22121,500.00', -1500],
    ['1.500,00-', -1500],
    ['(1,500.00)', -1500],
    ['($1,500)', -1500],
    ['$1,500', 1500],
    ['-$12.50', -12.5],
    ['$ -12.50', -12.5],
    ['US$1,500.00', 1500],
    ['1,500 EUR', 1500],
    ['1.500 €', 1500],
    ['€1.500', 1500],
    ['EUR 1,234.56', 1234.56],
    ['99 euros', 99],
    ['1500 usd', 1500],
  ])('reads the number %s', (text, number) => {
    expect(read('number', text)).toBe(number);
  });

  test.each([
    '1,500',
    '1.500',
    '$1.500',
    '1,500 KWD',
    '15%',
    '1.5k',
    '1,50,00',
    '1,2345,678',
    '0,123,456',
    '007',
    '(5)',
    '(-5.00)',
    '--5.00',
    '1e3',
    '.5',
    '5.',
    '5 apples',
    'EUR',
    '1 2',
    '1,500.00 EUR USD',
    '90071992547409.93123',
    '',
  ])('keeps %j as a text: it is not a number, or has two meanings', (text) => {
    expect(read('number', text)).toBeUndefined();
  });

  test.each<[string, string]>([
    ['15 January 2025', '2025-01-15'],
    ['January 15, 2025', '2025-01-15'],
    ['15 Jan 2025', '2025-01-15'],
    ['Jan 15 2025', '2025-01-15'],
    ['Sept. 5th, 2025', '2025-09-05'],
    ['15-JAN-2025', '2025-01-15'],
    ['2025 January 15', '2025-01-15'],
    ['15. Januar 2025', '2025-01-15'],
    ['3. März 2025', '2025-03-03'],
    ['1er février 2025', '2025-02-01'],
    ['15 de enero de 2025', '2025-01-15'],
    ['2025/01/15', '2025-01-15'],
    ['2025.1.5', '2025-01-05'],
    ['20250115', '2025-01-15'],
    ['25/12/2025', '2025-12-25'],
    ['12/25/2025', '2025-12-25'],
    ['05/05/2025', '2025-05-05'],
    ['01.02.2025', '2025-02-01'],
    ['May 2026', '2026-05'],
    ['mai 2026', '2026-05'],
    ['05/2026', '2026-05'],
    ['2026/05', '2026-05'],
    [' 2025-01-15 ', '2025-01-15'],
    ['2025-01-15 10:30:00', '2025-01-15T10:30:00'],
    ['2025-01-15 10:30 +02:00', '2025-01-15T10:30+02:00'],
  ])('reads the date %s', (text, date) => {
    expect(read('date', text)).toBe(date);
  });

  test.each([
    '01/02/2025',
    '01-02-2025',
    '15/01/25',
    '15 Jan 25',
    '30 February 2025',
    '2025/13/01',
    '2025/02/30',
    '2025-01/15',
    '10 - 15 January 2025',
    'Janus 15, 2025',
    '15 Jan Feb 2025',
    '15 01 2025',
    '15 January 2025 10:30',
    '2025-01-15 25:00',
    'next May 2026',
    '12012025',
    'May',
    '15 May 0025',
    '',
  ])('keeps %j as a text: it is not a date, or has two meanings', (text) => {
    expect(read('date', text)).toBeUndefined();
  });

  test('reads yes and no', () => {
    expect(['yes', 'TRUE', ' no ', 'False'].map((text) => read('boolean', text))).toEqual([true, true, false, false]);
    expect(['y', '1', 'on', '', 1].map((value) => read('boolean', value))).toEqual(Array.from({ length: 5 }));
  });

  test('reads each element of a merged array', () => {
    const merged = { type: 'number', strategy: 'merge_array' } as const;
    expect(readValue(merged, ['1,500.00', 2])).toEqual([1500, 2]);
    expect(readValue(merged, ['1,500', 2])).toBeUndefined();
  });

  test('reads back an amount in every notation that shows its decimals', () => {
    const locale = fc.constantFrom('en-US', 'de-DE', 'de-CH', 'fr-FR', 'en-IN', 'es-ES');
    const style = fc.constantFrom('decimal', 'EUR', 'USD', 'JPY');
    fc.assert(
      fc.property(fc.integer({ min: -1e11, max: 1e11 }), locale, style, (cents, where, how) => {
        const money = how === 'decimal' ? {} : { style: 'currency' as const, currency: how };
        const shown = { minimumFractionDigits: 2, maximumFractionDigits: 2, ...money };
        expect(read('number', (cents / 100).toLocaleString(where, shown))).toBe(cents === 0 ? 0 : cents / 100);
      }),
    );
  });

  test('reads back a day in every notation that names its month', () => {
    const day = fc.date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(day, fc.constantFrom('en-US', 'en-GB', 'de-DE', 'fr-FR', 'es-ES'), (moment, where) => {
        const iso = moment.toISOString().slice(0, 10);
        const text = moment.toLocaleDateString(where, { timeZone: 'UTC', dateStyle: 'long' });
        expect(read('date', text), text).toBe(iso);
      }),
    );
  });

  test('never reads a number or a date that the text does not spell', () => {
    const piece = fc.constantFrom(
      ...[
        '0',
        '1',
        '5',
        '15',
        '500',
        '2025',
        ',',
        '.',
        ' ',
        '-',
        '/',
        '(',
        ')',
        '$',
        '€',
        'EUR',
        'Jan',
        'May',
        '%',
        "'",
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('');
        const number = read('number', text);
        // All digits are in the number, in their order; only zeros at its ends may be left out.
        if (number !== undefined) {
          const digitsOf = (shown: string) => shown.replaceAll(/\D/g, '').replaceAll(/^0+|0+$/g, '');
          expect(digitsOf(JSON.stringify(number)), text).toBe(digitsOf(text));
        }
        const date = read('date', text);
        if (date !== undefined)
          for (const part of text.match(/\d{4}/g) ?? []) expect(date, text).toContain(part.slice(2));
      }),
      { numRuns: 2000 },
    );
  });
});

test('a fitted value fits again unchanged', () => {
  const field: fc.Arbitrary<SchemaField> = fc.record({
    type: fc.constantFrom(...fieldTypes),
    strategy: fc.constantFrom(...strategies),
  });
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom('12.50', '2025-01-15', ['1', '2'], '1,500.00', '$5', 'May 2026', 'yes', 7, ['1 500', 'no', 3]),
  ) as fc.Arbitrary<Json>;
  fc.assert(
    fc.property(field, value, (one, given) => {
      const fitted = fitValue(one, given);
      if (fitted !== undefined) {
        expect(fitValue(one, fitted)).toEqual(fitted);
        expect(readValue(one, given)).toEqual(fitted);
      }
      const read = readValue(one, given);
      if (read !== undefined) expect(fitValue(one, read)).toEqual(read);
    }),
    { numRuns: 500 },
  );
});
