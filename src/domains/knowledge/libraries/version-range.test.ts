import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareVersions, matchVersions } from './version-range.ts';

const versions = ['3.22.4', '3.23.0', '3.23.8', '4.0.0-beta.2', '4.0.0-beta.10', '4.0.0', '4.1.5'];

it.each([
  ['3.23.8', ['3.23.8']],
  ['v3.23.8', ['3.23.8']],
  ['=3.23.8', ['3.23.8']],
  ['3.23', ['3.23.0', '3.23.8']],
  ['3', ['3.22.4', '3.23.0', '3.23.8']],
  ['v3', ['3.22.4', '3.23.0', '3.23.8']],
  ['3.x', ['3.22.4', '3.23.0', '3.23.8']],
  ['3.23.x', ['3.23.0', '3.23.8']],
  ['3.x.x', ['3.22.4', '3.23.0', '3.23.8']],
  ['*', ['3.22.4', '3.23.0', '3.23.8', '4.0.0', '4.1.5']],
  ['x', ['3.22.4', '3.23.0', '3.23.8', '4.0.0', '4.1.5']],
  ['^3.23.0', ['3.23.0', '3.23.8']],
  ['^3.23.1', ['3.23.8']],
  ['~3.23.1', ['3.23.8']],
  ['~3.22', ['3.22.4']],
  ['~3', ['3.22.4', '3.23.0', '3.23.8']],
  ['>=3.23 <4', ['3.23.0', '3.23.8']],
  ['>= 3.23.1 < 4.1', ['3.23.8', '4.0.0']],
  ['>3', ['4.0.0', '4.1.5']],
  ['>3.23.0', ['3.23.8', '4.0.0', '4.1.5']],
  ['<=3.23', ['3.22.4', '3.23.0', '3.23.8']],
  ['<=3.23.0', ['3.22.4', '3.23.0']],
  ['<4', ['3.22.4', '3.23.0', '3.23.8']],
  ['3.22 - 3.23.0', ['3.22.4', '3.23.0']],
  ['3.22 || ^4.1', ['3.22.4', '4.1.5']],
  ['4.0.0-beta.2', ['4.0.0-beta.2']],
  ['^4.0.0-beta.3', ['4.0.0-beta.10', '4.0.0', '4.1.5']],
  ['5', []],
  ['3.23.9', []],
  ['latest', ['4.1.5']],
  ['>=next', []],
  ['3..1', []],
  ['', []],
  ['||', ['3.22.4', '3.23.0', '3.23.8', '4.0.0', '4.1.5']],
])('the range %j matches %j', (range, expected) => {
  expect(matchVersions(versions, range)).toEqual(expected);
});

it('matches names exactly, and versions with two numbers', () => {
  expect(matchVersions(['latest', '2026.11', '2026.2'], 'latest')).toEqual(['latest']);
  expect(matchVersions(['latest', '2026.11', '2026.2'], '2026')).toEqual(['2026.11', '2026.2']);
  expect(matchVersions(['latest', '2026.11'], '2026.11')).toEqual(['2026.11']);
  expect(matchVersions(['0.0.3', '0.2.5', '0.3.0'], '^0.2.1')).toEqual(['0.2.5']);
  expect(matchVersions(['0.0.3', '0.0.4'], '^0.0.3')).toEqual(['0.0.3']);
});

it('matches a preview if there is nothing else', () => {
  expect(matchVersions(['5.0.0-rc.1'], '5')).toEqual(['5.0.0-rc.1']);
  expect(matchVersions(['5.0.0-rc.1', '5.0.0'], '5')).toEqual(['5.0.0']);
});

it('matches the newest release alone as latest, unless a version has that name', () => {
  expect(matchVersions(['3.23.8', '4.1.0', '4.2.0-beta.1'], 'latest')).toEqual(['4.1.0']);
  expect(matchVersions(['4.1.0', 'latest'], 'latest')).toEqual(['latest']);
  expect(matchVersions([], 'latest')).toEqual([]);
});

it('sorts by numbers, previews before their release, and names last', () => {
  const sorted = ['3.9.0', '3.10.0', '4.0.0-beta.2', '4.0.0-beta.10', '4.0.0-rc', '4.0.0', '4.0.0.1', 'latest', 'next'];
  expect(sorted.toReversed().sort(compareVersions)).toEqual(sorted);
});

it('accepts any text as a range', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123.xX*^~<>=|- v+beta') }), (range) => {
      for (const version of matchVersions(versions, range)) expect(versions).toContain(version);
    }),
  );
});
