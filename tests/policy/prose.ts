import type { ESTree } from 'rolldown/utils';
import type { Card } from '#kernel/tool/card.ts';
import { isName, memberName, nodesOf, type Parsed, parse, walk } from './parsed.ts';
import { isTestPath, readSource, readTree, type SourceFile } from './tree.ts';

/** A piece of text that people read, and where it is written. */
export interface Prose {
  readonly at: string;
  readonly text: string;
}

const isCode = ({ path }: SourceFile): boolean => /\.(?:ts|mjs|js)$/.test(path);

/** All code of the project, parsed. */
export const parseCode = (): readonly Parsed[] =>
  [...['src', 'tests', 'bench', 'scripts', 'bin'].flatMap(readTree), readSource('vitest.config.ts')]
    .filter(isCode)
    .map(parse);

export const isProgramFile = ({ path }: Parsed): boolean => path.startsWith('src/') && !isTestPath(path);

export const commentsOf = (file: Parsed): readonly Prose[] =>
  file.comments.map((comment) => ({ at: file.at(comment), text: comment.text }));

/** The literal parts of every string below a node; `…` marks the computed ones. */
function textsBelow(node: ESTree.Node): readonly string[] {
  return walk(node).flatMap(({ node: one }) => {
    if (one.type === 'Literal' && typeof one.value === 'string') return [one.value];
    return one.type === 'TemplateLiteral' ? [one.quasis.map(({ value }) => value.cooked ?? '').join('…')] : [];
  });
}

const proseOf = (file: Parsed, node: ESTree.Node): readonly Prose[] =>
  textsBelow(node).map((text) => ({ at: file.at(node), text }));

/** `it`, `it.only` and `it.each(…)` → `it`. */
function calleeRoot(callee: ESTree.Node): ESTree.Node {
  if (callee.type === 'MemberExpression') return calleeRoot(callee.object);
  return callee.type === 'CallExpression' ? calleeRoot(callee.callee) : callee;
}

const titleFunctions = ['it', 'test', 'describe'];

/** Titles of tests and suites, with the templates of `each` and `for`. */
export const titlesOf = (file: Parsed): readonly Prose[] =>
  nodesOf(file.program, 'CallExpression').flatMap(({ callee, arguments: [title] }) => {
    const root = calleeRoot(callee);
    const isTitle = title?.type === 'Literal' || title?.type === 'TemplateLiteral';
    return isTitle && titleFunctions.some((name) => isName(root, name)) ? proseOf(file, title) : [];
  });

const logLevels = ['debug', 'info', 'warn', 'error'];
const isLog = (node: ESTree.Node): boolean =>
  isName(node, 'log') || (node.type === 'MemberExpression' && memberName(node) === 'log');

/** Messages of calls such as `log.warn({ id }, 'message')`. */
export const logLinesOf = (file: Parsed): readonly Prose[] =>
  nodesOf(file.program, 'CallExpression').flatMap(({ callee, arguments: [, message] }) =>
    callee.type === 'MemberExpression' &&
    isLog(callee.object) &&
    logLevels.includes(memberName(callee) ?? '') &&
    message !== undefined
      ? proseOf(file, message)
      : [],
  );

/** Members of the declarations of tools, faults, settings, commands and doctor checks whose text is shown. */
const shownMembers: ReadonlySet<string> = new Set([
  'about',
  'detail',
  'fix',
  'say',
  'summary',
  'title',
  'unsetMeans',
  'when',
  'not',
]);

const isFaultCall = ({ callee }: ESTree.CallExpression): boolean =>
  callee.type === 'MemberExpression' && callee.object.type === 'Identifier' && /faults$/i.test(callee.object.name);

/** Texts of the program for its users, except log lines. */
export const shownTextsOf = (file: Parsed): readonly Prose[] => [
  ...nodesOf(file.program, 'Property').flatMap(({ key, value }) =>
    key.type === 'Identifier' && shownMembers.has(key.name) ? proseOf(file, value) : [],
  ),
  ...nodesOf(file.program, 'CallExpression').flatMap((call) =>
    isFaultCall(call) ? call.arguments.flatMap((argument) => proseOf(file, argument)) : [],
  ),
];

function descriptionsIn(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'description' && typeof value === 'string' ? [value] : descriptionsIn(value),
  );
}

/** Everything that a client shows of a tool, with the texts that the code computes. */
export const cardTexts = (card: Card): readonly Prose[] =>
  [
    card.title,
    card.summary,
    ...card.guide.when,
    ...(card.guide.not ?? []),
    ...descriptionsIn(card.inputSchema),
    ...descriptionsIn(card.outputSchema),
  ].map((text) => ({ at: card.name, text }));

/** The lines of a Markdown file outside code. */
export function markdownTexts({ path, text }: SourceFile): readonly Prose[] {
  let isFenced = false;
  return text.split('\n').flatMap((line, i) => {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isFenced = !isFenced;
    return isFence || isFenced ? [] : [{ at: `${path}:${i + 1}`, text: line.replaceAll(/`[^`]*`/g, '`…`') }];
  });
}

/** The glossary lists the words that are not used. */
export const readDocs = (): readonly SourceFile[] =>
  [readSource('README.md'), ...readTree('docs'), ...readTree('src')].filter(
    ({ path }) =>
      path.endsWith('.md') && path !== 'docs/glossary.md' && (!path.startsWith('src/') || path.endsWith('/SPEC.md')),
  );
