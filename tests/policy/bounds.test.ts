import { expect, test } from 'vitest';
import { findBoundsTables, findTwins, findUnitless, findUnusedBounds } from './bounds.ts';
import { parse } from './parsed.ts';
import { readProgram, readSource } from './tree.ts';

const program = readProgram().map(parse);
const tables = findBoundsTables(program);

test('every room’s table of bounds is seen', () => {
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['limits', 'httpLimits', 'searchLimits']));
});

/** Some bounds are held by a policy and not at run time. */
test('every bound of the program bounds something', () => {
  expect(findUnusedBounds([...program, parse(readSource('tests/policy/list-budget.ts'))], tables)).toEqual([]);
});

test('every bound names its unit last, and every table has a name of its own', () => {
  expect(findUnitless(tables)).toEqual([]);
  expect(findTwins(tables)).toEqual([]);
});

const planted = (text: string) => [parse({ path: 'src/app/a.ts', text })];
const padTable = 'export const padLimits = { padCount: 3, pageBytes: 4 } as const;';

test('a bound that nobody reads is found', () => {
  const found = findBoundsTables(planted(padTable));
  expect(findUnusedBounds(planted('use(limits.pageBytes); // limits.padCount'), found)).toEqual([
    'padLimits.padCount is read nowhere',
  ]);
  expect(findUnusedBounds(planted('const { padCount } = limits; use(limits["pageBytes"]);'), found)).toEqual([]);
});

test('a bound without a unit and a second table of one name are found', () => {
  expect(findUnitless(findBoundsTables(planted('const padLimits = { padCount: 3, maxPads: 4 };')))).toEqual([
    'padLimits.maxPads does not end with its unit',
  ]);
  const twice = findBoundsTables([...planted(padTable), ...planted(padTable)]);
  expect(findTwins(twice)).toEqual(['src/app/a.ts:1 is a second table called padLimits']);
  expect(findBoundsTables(planted('const padLimits = readLimits(settings);'))).toEqual([]);
});
