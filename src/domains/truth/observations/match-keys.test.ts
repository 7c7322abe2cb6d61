import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { identifierOf, identifiersOf, matchKeyOfField, matchKeyOfName } from './match-keys.ts';

describe('match keys', () => {
  test.each([
    ['acme holding', 'holding acme'],
    ['acme-holding', 'acme holding'],
    ['the acme company ltd', 'the acme'],
    ['inv-001\u001facme', 'acme inv 001'],
    ['ＡＣＭＥ', 'acme'],
  ])('%j and %j have the same key', (a, b) => {
    expect(matchKeyOfName('company', a)).toBeDefined();
    expect(matchKeyOfName('company', a)).toBe(matchKeyOfName('company', b));
  });

  test('short texts have no key', () => {
    expect(matchKeyOfName('company', 'a inc')).toBeUndefined();
    expect(matchKeyOfName('company', '...')).toBeUndefined();
    expect(matchKeyOfName('company', 'ab inc')).toBe('name=ab');
    expect(matchKeyOfField('tax_id', 'D-1')).toBeUndefined();
  });

  test('other names and fields have other keys', () => {
    expect(matchKeyOfName('company', 'acme north')).not.toBe(matchKeyOfName('company', 'acme south'));
    expect(matchKeyOfField('tax_id', 'DE 12 34')).toBe(matchKeyOfField('tax_id', 'de-1234'));
    expect(matchKeyOfField('tax_id', 'DE1234')).not.toBe(matchKeyOfField('email', 'DE1234'));
  });

  test('keys fit into an index, and long texts that differ have different keys', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 100, maxLength: 400 }), (text) => {
        for (const key of [matchKeyOfName('note', text) ?? '', matchKeyOfField('f', text) ?? '', identifierOf(text)]) {
          expect(Buffer.byteLength(key)).toBeLessThanOrEqual(512);
        }
      }),
    );
    expect(identifierOf(`${'x'.repeat(600)}a`)).not.toBe(identifierOf(`${'x'.repeat(600)}b`));
  });
});

test('an identifier is found with and without a company suffix', () => {
  expect(identifiersOf(' ACME Corp. ')).toEqual(['acme corp.', 'acme']);
  expect(identifiersOf('acme')).toEqual(['acme']);
});
