import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { entityIdOf, normaliseName, observationIdOf } from './entity-name.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 40 });

describe('[TR5] entity names', () => {
  test.each([
    ['  ACME\t\n  Corp. ', 'acme'],
    ['Acme, Inc.', 'acme'],
    ['Acme,Inc', 'acme'],
    ['Acme Incorporated', 'acme'],
    ['Acme S.A.', 'acme'],
    ['Acme GmbH', 'acme'],
    ['Acme Ltd.', 'acme'],
    // Removes one suffix, and never the whole name.
    ['Acme Holding Company Ltd', 'acme holding company'],
    ['Company', 'company'],
    ['Co.', 'co.'],
    [', Inc', ', inc'],
    // Only a separate word at the end.
    ['Costa', 'costa'],
    ['Inc Acme', 'inc acme'],
    ['Texaco', 'texaco'],
  ])('normalises the company %j to %j', (text, name) => {
    expect(normaliseName(text, true)).toBe(name);
  });

  test('keeps the suffix of other types', () => {
    expect(normaliseName(' Call  Acme Inc. ', false)).toBe('call acme inc.');
  });

  test('treats composed and decomposed letters alike and removes control characters', () => {
    expect(normaliseName('Cafe\u0301\u0000 \u0007No\u001fir', false)).toBe('café noir');
    expect(normaliseName('a \u0001 b', false)).toBe('a b');
  });

  test('is idempotent and ignores case and blanks', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const name = normaliseName(text, false);
        expect(normaliseName(name, false)).toBe(name);
        expect(normaliseName(`\t ${text}\u0007 \n`, false)).toBe(name);
        expect(name).toBe(name.trim());
        expect(name).not.toMatch(/\p{Cc}| {2}/u);
      }),
    );
  });

  test('never reduces a company name to nothing', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom('', ' inc', ', LLC.', ' co'), (text, suffix) => {
        const name = normaliseName(text + suffix, true);
        expect(name === '').toBe(normaliseName(text + suffix, false) === '');
      }),
    );
  });
});

test('hashes names, sources and roles into ids', () => {
  expect(entityIdOf('company', 'acme')).toBe(`ent_${sha256Hex('company:acme').slice(0, 24)}`);
  expect(observationIdOf('ent_a', 'payload_b', 'self')).toMatch(/^obs_[0-9a-f]{24}$/);
  const ids = [
    observationIdOf('ent_a', 'payload_b', 'self'),
    observationIdOf('ent_a', 'payload_b', 'vendor_name'),
    observationIdOf('ent_a', 'payload_c', 'self'),
    observationIdOf('ent_c', 'payload_b', 'self'),
  ];
  expect(new Set(ids).size).toBe(ids.length);
});
