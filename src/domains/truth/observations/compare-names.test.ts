import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareNames, editDistance, soundOf } from './compare-names.ts';
import { foldWord, isSameFolded, stripAccents, wordsOfName } from './fold-name.ts';
import { type JudgedPair, otherNames, sameNames } from './judged-names.fixture.ts';
import { foldKeysOf, nearKeysOf, plainKeysOf, storedFoldKeysOf, storedNearKeysOf } from './match-keys.ts';

const letters = fc.string({
  unit: fc.constantFrom(...'aaeeiioouuäöüßéèçñøåæłqsthrnmkcplzвіέ가漢ｱ'),
  maxLength: 12,
});
const anyWord = fc.oneof(letters, fc.string({ unit: 'grapheme', maxLength: 12 }));
const anyName = fc.oneof(
  fc.constantFrom(...[...sameNames, ...otherNames].flatMap(([, a, b]) => [a, b])),
  fc.array(anyWord, { maxLength: 4 }).map((words) => words.join(' ')),
);
const anyType = fc.constantFrom('company', 'person', 'project', 'invoice');

describe('[TR61] folded names', () => {
  test.each([
    ['Müller', 'Mueller', 'Muller'],
    ['Café', 'Cafe'],
    ['Weiß', 'Weiss'],
    ['Møller', 'Moeller', 'Moller'],
    ['Århus', 'Aarhus', 'Arhus'],
    ['Łukasz', 'Lukasz'],
    ['Đorđe', 'Dorde'],
    ['Þórunn', 'Thorunn'],
    ['Ångström', 'Aangstroem', 'Angstrom'],
    ['Œuvre', 'Oeuvre'],
    ['Αθήνα', 'Αθηνα'],
  ])('%s and %s are the same', (...names) => {
    for (const a of names)
      for (const b of names) expect([a, b, compareNames('person', a, b)?.kind]).toEqual([a, b, 'folded']);
  });

  test.each([
    ['Bauer', 'Baur'],
    ['Marquez', 'Marqz'],
    ['Joel', 'Jol'],
    ['が', 'か'],
    ['कि', 'क'],
  ])('%s and %s are not', (a, b) => {
    expect(compareNames('place', a, b)).toBeUndefined();
  });

  test('folding twice changes nothing', () => {
    fc.assert(
      fc.property(anyWord, (word) => {
        for (const fold of [stripAccents, foldWord]) expect(fold(fold(word))).toBe(fold(word));
      }),
      { numRuns: 2_000 },
    );
  });

  test('comparing is symmetric, and a name is like itself', () => {
    fc.assert(
      fc.property(anyType, anyName, anyName, (type, a, b) => {
        const [there, back] = [compareNames(type, a, b), compareNames(type, b, a)];
        expect([there?.kind, there?.distance]).toEqual([back?.kind, back?.distance]);
        expect(isSameFolded(a, b)).toBe(isSameFolded(b, a));
        if (wordsOfName(type, a).words.length > 0) expect(compareNames(type, a, a)).toMatchObject({ kind: 'folded' });
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('[TR61] near names', () => {
  test.each([
    ['company', 'Jonson', 'Johnson'],
    ['company', 'Micosoft', 'Microsoft'],
    ['person', 'Peter Jonson', 'Johnson, Peter'],
    ['project', 'Mohammed Archive', 'Muhammad Archive'],
  ])('%s %s and %s are near', (type, a, b) => {
    expect(compareNames(type, a, b)).toMatchObject({
      kind: 'near',
      reason: expect.stringContaining('similar spelling'),
    });
  });

  test('numbers must be equal', () => {
    fc.assert(
      fc.property(fc.nat(99_999), fc.nat(99_999), fc.constantFrom('INV-', 'Vendor ', 'Release v'), (a, b, before) => {
        fc.pre(a !== b);
        expect(compareNames('invoice', `${before}${a}`, `${before}${b}`)).toBeUndefined();
        expect(compareNames('company', `${before}${a} Acme`, `${before}${b} Acme`)).toBeUndefined();
      }),
    );
  });

  test('distance counts swapped neighbours once and stops at the limit', () => {
    expect(editDistance('energy', 'enegry', 2)).toBe(1);
    expect(editDistance('abc', 'abc', 0)).toBe(0);
    expect(editDistance('abcdef', 'uvwxyz', 2)).toBe(3);
    fc.assert(
      fc.property(letters, letters, (a, b) => {
        expect(editDistance(a, b, 3)).toBe(editDistance(b, a, 3));
      }),
    );
  });

  test('words that sound alike have the same sound', () => {
    for (const [a, b] of [
      ['meyer', 'maier'],
      ['schmidt', 'schmitt'],
      ['telecom', 'telekom'],
      ['philip', 'filip'],
    ] as const)
      expect(soundOf(a)).toBe(soundOf(b));
    expect(soundOf('metro')).not.toBe(soundOf('retro'));
  });
});

const storedKeysOf = (type: string, name: string): readonly string[] => [
  name.toLowerCase(),
  ...storedFoldKeysOf(type, name),
  ...storedNearKeysOf(type, name),
];
const probedKeysOf = (type: string, name: string): ReadonlySet<string> =>
  new Set([...plainKeysOf(type, name), ...foldKeysOf(type, name), ...nearKeysOf(type, name)]);

const isFound = ([type, a, b]: JudgedPair): boolean => {
  if (compareNames(type, a, b) === undefined) return false;
  const probes = probedKeysOf(type, a);
  return storedKeysOf(type, b).some((key) => probes.has(key));
};

describe('judged names', () => {
  test('most pairs that are one thing are found through their keys, in both directions', () => {
    const missed = sameNames.filter(([type, a, b]) => !isFound([type, a, b]) || !isFound([type, b, a]));
    expect(missed).toEqual([]);
  });

  test('few pairs that are two things are found', () => {
    const wrong = otherNames.filter(isFound).map(([, a, b]) => `${a} / ${b}`);
    // One letter makes another word of the dictionary.
    expect(wrong).toEqual(['Contact list / Contract list', 'Employee survey / Employer survey']);
  });

  test('a name has at most seven more rows', () => {
    for (const [type, a, b] of [...sameNames, ...otherNames]) {
      for (const name of [a, b]) expect(storedKeysOf(type, name).length).toBeLessThanOrEqual(8);
    }
  });

  test('the keys of a word contain those of every word with one edit', () => {
    const alphabet = 'abcdefghijklmnopqrstuvwxyz';
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...alphabet), minLength: 6, maxLength: 14 }),
        fc.nat(),
        fc.constantFrom('insert', 'delete', 'replace', 'swap'),
        fc.constantFrom(...alphabet),
        (word, place, edit, letter) => {
          const at = place % (word.length - 1);
          const [before, after] = [word.slice(0, at), word.slice(at)];
          const edited = {
            insert: before + letter + after,
            delete: before + after.slice(1),
            replace: before + letter + after.slice(1),
            swap: before + after[1] + after[0] + after.slice(2),
          }[edit];
          // Folding may join letters, which is another edit.
          fc.pre(foldWord(word) === word && foldWord(edited) === edited);
          const probes = probedKeysOf('project', `${word} plan`);
          expect(storedKeysOf('project', `plan ${edited}`).some((key) => probes.has(key))).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
