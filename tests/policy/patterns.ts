import type { ESTree } from 'rolldown/utils';
import { findExplosion } from '#kernel/pattern/explosive.ts';
import { isName, literalText, type Parsed, walk } from './parsed.ts';
import { isInside } from './tree.ts';

/** Where a regular expression is put together while the program runs, and why that is safe. */
export const builtPatterns: Readonly<Record<string, string>> = {
  'src/kernel/access/api-key.ts': 'made of a fixed prefix and two fixed lengths',
  'src/domains/instructions/rules/owners.ts':
    'judged by findExplosion first, and run over ids of at most 120 characters',
  'src/kernel/pattern': 'users’ patterns, which run in the pool and are stopped there',
};

interface Pattern {
  /** Undefined: it is only known when the program runs. */
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

function judge({ path, at }: Parsed, node: ESTree.Node): readonly string[] {
  const pattern = patternOf(node);
  if (pattern === undefined) return [];
  if (pattern.source === undefined) {
    const isKnown = Object.keys(builtPatterns).some((place) => isInside(path, place));
    return isKnown ? [] : [`${at(node)} builds a regular expression that nobody can judge`];
  }
  const explosion = findExplosion(pattern.source, pattern.flags);
  return explosion === undefined ? [] : [`${at(node)} /${pattern.source}/ can explode: ${explosion.why}`];
}

/** Regular expressions of ours that could take far longer than their text is long. */
export const findPatternViolations = (files: readonly Parsed[]): readonly string[] =>
  files.flatMap((file) => walk(file.program).flatMap(({ node }) => judge(file, node)));
