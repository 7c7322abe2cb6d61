import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '#kernel/json/canonical.ts';
import { dateToMs } from '../iso-time.ts';
import { truthLimits } from '../truth-limits.ts';
import { type FieldType, fieldTypes, type SchemaField, strategies } from './entity-schema.ts';
import { fitValue } from './fit-value.ts';

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
    '-0',
    '-0.0',
    '9007199254740993',
    '0.1000000000000000055511151231257827',
    'NaN',
    'Infinity',
    `1${'0'.repeat(500)}`,
  ])('rejects a number that a double cannot represent exactly: %s', (text) => {
    expect(hold('number', text)).toBeUndefined();
  });

  test('a number read from text equals the text', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.nat({ max: 3 }), (number, zeros) => {
        const text = String(number);
        if (/e/.test(text)) return;
        const padded =
          zeros === 0 ? text : text.includes('.') ? text + '0'.repeat(zeros) : `${text}.${'0'.repeat(zeros)}`;
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

test('a fitted value fits again unchanged', () => {
  const field: fc.Arbitrary<SchemaField> = fc.record({
    type: fc.constantFrom(...fieldTypes),
    strategy: fc.constantFrom(...strategies),
  });
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom('12.50', '2025-01-15', ['1', '2'])) as fc.Arbitrary<Json>;
  fc.assert(
    fc.property(field, value, (one, given) => {
      const fitted = fitValue(one, given);
      if (fitted !== undefined) expect(fitValue(one, fitted)).toEqual(fitted);
    }),
    { numRuns: 500 },
  );
});
