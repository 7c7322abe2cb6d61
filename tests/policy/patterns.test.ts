import { expect, test } from 'vitest';
import { parse } from './parsed.ts';
import { builtPatterns, findPatternViolations } from './patterns.ts';
import { isInside, readProgram } from './tree.ts';

const violationsOf = (text: string) => findPatternViolations([parse({ path: 'src/app/a.ts', text })]);

test('no regular expression of the program can explode', () => {
  expect(findPatternViolations(readProgram().map(parse))).toEqual([]);
});

test('every place that may build a regular expression is there', () => {
  const paths = readProgram().map(({ path }) => path);
  expect(Object.keys(builtPatterns).filter((place) => !paths.some((path) => isInside(path, place)))).toEqual([]);
});

test.for([
  'const p = /^(a+)+$/;',
  'const p = /(?:a|a)*b/u;',
  'const p = /(x+x+)+y/;',
  `const p = new RegExp('^(a+)+$');`,
  `const p = RegExp('^(\\\\w*)*$', 'i');`,
  'const p = new RegExp(`(a|aa)+$`);',
  'const s = z.string().regex(/^([a-z]+)*$/);',
])('one that can is found: %s', (text) => {
  expect(violationsOf(text)).toEqual([expect.stringMatching(/^src\/app\/a\.ts:1 .* can explode: /)]);
});

test('one that is built from what comes in is found', () => {
  expect(violationsOf('const p = new RegExp(name);')).toEqual([
    'src/app/a.ts:1 builds a regular expression that nobody can judge',
  ]);
  expect(violationsOf('const p = new RegExp(`^` + name);')).toHaveLength(1);
});

test.for([
  'const p = /^[a-z][a-z0-9_]{0,39}$/;',
  `const p = new RegExp('^[a-z]+$');`,
  `const t = '(a+)+$'; // /(a+)+$/`,
])('what cannot explode is in order: %s', (text) => {
  expect(violationsOf(text)).toEqual([]);
});
