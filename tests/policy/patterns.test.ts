import type { ESTree } from 'rolldown/utils';
import { expect, test } from 'vitest';
import { rulePatterns } from '#domains/context/remember/rule-patterns.ts';
import { isName, literalText, type Parsed, parse, walk } from './parsed.ts';
import { findSlowLoop } from './slow-loops.ts';
import { isInside, readProgram } from './tree.ts';

/** Files that build regular expressions at run time, each with the reason why that is safe. */
const builtPatterns: Readonly<Record<string, string>> = {
  'src/kernel/access/api-key.ts': 'made of a fixed prefix and two fixed lengths',
  'src/domains/notebooks/validators/validate-html.ts': 'made of fixed element names',
  'src/kernel/workers/regex-task.ts': 'runs in a worker that is stopped at its deadline',
  'src/domains/instructions/review/has-secret.ts':
    'made of the shipped criteria, which review.test.ts checks the same way',
  'src/domains/context/remember/rule-patterns.ts': 'made of fixed words; the test below checks the results',
  'src/kernel/workers/regex-runner.ts': 'only compiles the pattern to report its syntax error',
};

interface Pattern {
  /** Undefined if it is known only at run time. */
  readonly source: string | undefined;
  readonly flags: string;
}

function patternOf(node: ESTree.Node): Pattern | undefined {
  if (node.type === 'Literal' && 'regex' in node) return { source: node.regex.pattern, flags: node.regex.flags };
  if ((node.type !== 'NewExpression' && node.type !== 'CallExpression') || !isName(node.callee, 'RegExp'))
    return undefined;
  const [source, flags] = node.arguments;
  return { source: literalText(source), flags: literalText(flags) ?? '' };
}

function checkNode({ path, at }: Parsed, node: ESTree.Node): readonly string[] {
  const pattern = patternOf(node);
  if (pattern === undefined) return [];
  if (pattern.source === undefined) {
    const isKnown = Object.keys(builtPatterns).some((place) => isInside(path, place));
    return isKnown ? [] : [`${at(node)} builds a regular expression that cannot be checked`];
  }
  const why = findSlowLoop(pattern.source, pattern.flags);
  return why === undefined ? [] : [`${at(node)} /${pattern.source}/ can be slow: ${why}`];
}

/** Regular expressions with more than linear run time. */
const findPatternViolations = (files: readonly Parsed[]): readonly string[] =>
  files.flatMap((file) => walk(file.program).flatMap(({ node }) => checkNode(file, node)));

const violationsOf = (text: string) => findPatternViolations([parse({ path: 'src/app/a.ts', text })]);

test('no regular expression of the program can be slow', () => {
  expect(findPatternViolations(readProgram().map(parse))).toEqual([]);
});

test('no pattern that recognises a rule can be slow', () => {
  const patterns = rulePatterns.flatMap(({ once, ...lists }) => [once, ...Object.values(lists).flat()]);
  expect(patterns.length).toBeGreaterThan(20);
  expect(patterns.flatMap(({ source, flags }) => findSlowLoop(source, flags) ?? [])).toEqual([]);
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
