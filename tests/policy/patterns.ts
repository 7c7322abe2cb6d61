import type { ESTree } from 'rolldown/utils';
import { isName, literalText, type Parsed, walk } from './parsed.ts';
import { findSlowLoop } from './slow-loops.ts';
import { isInside } from './tree.ts';

/** Files that build a regular expression at run time, and why that is safe. */
export const builtPatterns: Readonly<Record<string, string>> = {
  'src/kernel/access/api-key.ts': 'made of a fixed prefix and two fixed lengths',
  'src/kernel/workers/regex-task.ts': 'runs in a worker that is stopped at its deadline',
  'src/kernel/workers/regex-runner.ts': 'only compiles the pattern to report its syntax error',
};

interface Pattern {
  /** Undefined when it is only known at run time. */
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

/** Our own regular expressions whose time grows faster than their text. */
export const findPatternViolations = (files: readonly Parsed[]): readonly string[] =>
  files.flatMap((file) => walk(file.program).flatMap(({ node }) => checkNode(file, node)));
