import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { entityIdOf, normaliseName, observationIdOf } from './entity-name.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 40 });

describe('[TR5] names of entities', () => {
  test.each([
    ['  ACME\t\n  Corp. ', 'acme'],
    ['Acme, Inc.', 'acme'],
    ['Acme,Inc', 'acme'],
    ['Acme Incorporated', 'acme'],
    ['Acme S.A.', 'acme'],
    ['Acme GmbH', 'acme'],
    ['Acme Ltd.', 'acme'],
    // One suffix only, and never the whole name.
    ['Acme Holding Company Ltd', 'acme holding company'],
    ['Company', 'company'],
    ['Co.', 'co.'],
    [', Inc', ', inc'],
    // Only a word of its own at the end.
    ['Costa', 'costa'],
    ['Inc Acme', 'inc acme'],
    ['Texaco', 'texaco'],
  ])('%j is the company %j', (text, name) => {
    expect(normaliseName(text, true)).toBe(name);
  });

  test('what is no company keeps its suffix', () => {
    expect(normaliseName(' Call  Acme Inc. ', false)).toBe('call acme inc.');
  });

  test('composed and decomposed letters are one name, and control characters are nothing', () => {
    expect(normaliseName('Cafe\u0301\u0000 \u0007No\u001fir', false)).toBe('café noir');
    expect(normaliseName('a \u0001 b', false)).toBe('a b');
  });

  test('a normalised name is normal, and case and blanks make no difference', () => {
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

  test('a company has a name whenever the text has one', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom('', ' inc', ', LLC.', ' co'), (text, suffix) => {
        const name = normaliseName(text + suffix, true);
        expect(name === '').toBe(normaliseName(text + suffix, false) === '');
      }),
    );
  });
});

test('ids are hashes of what they stand for', () => {
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
