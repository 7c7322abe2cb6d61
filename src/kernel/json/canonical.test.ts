import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical.ts';

/** The same value with its members reversed at every depth. */
const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled);
  if (value === null || typeof value !== 'object') return value;
  const reversed = Object.entries(value).toReversed();
  return Object.fromEntries(reversed.map(([key, member]) => [key, shuffled(member)]));
};

describe('canonical JSON', () => {
  it('does not depend on the order of members', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => canonicalJson(shuffled(value)) === canonicalJson(value)));
  });

  it('parses back to the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('is different for different values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const isSame = JSON.stringify(JSON.parse(canonicalJson(a))) === JSON.stringify(JSON.parse(canonicalJson(b)));
        expect(canonicalJson(a) === canonicalJson(b)).toBe(isSame);
      }),
    );
  });

  it('sorts by code unit, also names that look like numbers', () => {
    expect(canonicalJson({ b: 1, '10': 2, '9': 3, B: 4, ä: 5, '\uffff': 6, '\u{10000}': 7 })).toBe(
      '{"10":2,"9":3,"B":4,"b":1,"ä":5,"\u{10000}":7,"\uffff":6}',
    );
  });

  it('treats values that are not JSON like JSON.stringify', () => {
    const sparse = [1];
    sparse[2] = 3;
    expect(canonicalJson([undefined, sparse, Number.NaN, -0])).toBe('[null,[1,null,3],null,0]');
    expect(canonicalJson({ at: new Date(0), gone: undefined })).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
    expect(canonicalJson(undefined)).toBe('null');
  });

  it('keeps a member called __proto__', () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":2}}'))).toBe('{"__proto__":{"a":2},"b":1}');
  });
});
