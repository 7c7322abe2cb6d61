import { expect, test } from 'vitest';
import { findDuplicateTables, findLimitsWithoutUnit, findLimitTables, findUnusedLimits } from './limits.ts';
import { parse } from './parsed.ts';
import { readProgram, readSource } from './tree.ts';

const program = readProgram().map(parse);
const tables = findLimitTables(program);

test('finds the limit tables of all modules', () => {
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['limits', 'httpLimits', 'searchLimits']));
});

/** Some limits are enforced by a policy instead of at run time. */
test('every limit is used', () => {
  expect(findUnusedLimits([...program, parse(readSource('tests/policy/list-budget.ts'))], tables)).toEqual([]);
});

test('every limit ends with its unit, and every table name is unique', () => {
  expect(findLimitsWithoutUnit(tables)).toEqual([]);
  expect(findDuplicateTables(tables)).toEqual([]);
});

const sourceOf = (text: string) => [parse({ path: 'src/app/a.ts', text })];
const padTable = 'export const padLimits = { padCount: 3, pageBytes: 4 } as const;';

test('finds an unused limit', () => {
  const found = findLimitTables(sourceOf(padTable));
  expect(findUnusedLimits(sourceOf('use(limits.pageBytes); // limits.padCount'), found)).toEqual([
    'padLimits.padCount is read nowhere',
  ]);
  expect(findUnusedLimits(sourceOf('const { padCount } = limits; use(limits["pageBytes"]);'), found)).toEqual([]);
});

test('finds a limit without a unit and a duplicate table name', () => {
  expect(findLimitsWithoutUnit(findLimitTables(sourceOf('const padLimits = { padCount: 3, maxPads: 4 };')))).toEqual([
    'padLimits.maxPads does not end with its unit',
  ]);
  const twice = findLimitTables([...sourceOf(padTable), ...sourceOf(padTable)]);
  expect(findDuplicateTables(twice)).toEqual(['src/app/a.ts:1 is a second table called padLimits']);
  expect(findLimitTables(sourceOf('const padLimits = readLimits(settings);'))).toEqual([]);
});
