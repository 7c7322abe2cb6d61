import { expect, test } from 'vitest';
import { parse } from './parsed.ts';
import { builtPatterns, findPatternViolations } from './patterns.ts';
import { isInside, readProgram } from './tree.ts';

const violationsOf = (text: string) => findPatternViolations([parse({ path: 'src/app/a.ts', text })]);

test('no regular expression of the program can be slow', () => {
  expect(findPatternViolations(readProgram().map(parse))).toEqual([]);
});

test('every file that may build a regular expression exists', () => {
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
])('reports a slow one: %s', (text) => {
  expect(violationsOf(text)).toEqual([expect.stringMatching(/^src\/app\/a\.ts:1 .* can be slow: /)]);
});

test('reports one that is built from input', () => {
  expect(violationsOf('const p = new RegExp(name);')).toEqual([
    'src/app/a.ts:1 builds a regular expression that cannot be checked',
  ]);
  expect(violationsOf('const p = new RegExp(`^` + name);')).toHaveLength(1);
});

test.for([
  'const p = /^[a-z][a-z0-9_]{0,39}$/;',
  `const p = new RegExp('^[a-z]+$');`,
  `const t = '(a+)+$'; // /(a+)+$/`,
])('accepts a harmless one: %s', (text) => {
  expect(violationsOf(text)).toEqual([]);
});
