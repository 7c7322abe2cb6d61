import { expect, test } from 'vitest';
import { limits } from '#kernel/limits.ts';
import { findScatteredBounds, findUnitless, findUnusedBounds } from './bounds.ts';
import { parse } from './parsed.ts';
import { readProgram, readSource } from './tree.ts';

/** Some bounds are held by a policy and not at run time. */
test('every bound of the program bounds something', () => {
  const readers = [...readProgram(), readSource('tests/policy/list-budget.ts')];
  expect(findUnusedBounds(readers.map(parse), Object.keys(limits))).toEqual([]);
});

test('all bounds stand in one table', () => {
  expect(findScatteredBounds(readProgram().map(parse))).toEqual([]);
});

test('every bound names its unit last', () => {
  expect(findUnitless(Object.keys(limits))).toEqual([]);
});

const planted = (text: string) => [parse({ path: 'src/app/a.ts', text })];

test('a bound that nobody reads is found', () => {
  expect(findUnusedBounds(planted('use(limits.pageBytes); // limits.padCount'), ['pageBytes', 'padCount'])).toEqual([
    'limits.padCount is read nowhere',
  ]);
  expect(
    findUnusedBounds(planted('const { padCount } = limits; use(limits["pageBytes"]);'), ['pageBytes', 'padCount']),
  ).toEqual([]);
});

test('a second table of bounds is found', () => {
  const second = 'src/app/a.ts:1 keeps bounds outside src/kernel/limits.ts';
  expect(findScatteredBounds(planted('export const padLimits = { padCount: 3 } as const;'))).toEqual([second]);
  expect(findScatteredBounds(planted('const limits = { padCount: 3 };'))).toEqual([second]);
  expect(findScatteredBounds(planted('const padLimits = readLimits(settings);'))).toEqual([]);
});

test('a bound without a unit is found', () => {
  expect(findUnitless(['padCount', 'maxPads'])).toEqual(['limits.maxPads does not end with its unit']);
});
