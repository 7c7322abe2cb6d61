import { type ESTree, parseSync } from 'rolldown/utils';
import type { SourceFile } from './tree.ts';

export interface Comment {
  readonly text: string;
  readonly start: number;
}

export interface Parsed {
  readonly path: string;
  readonly program: ESTree.Program;
  readonly comments: readonly Comment[];
  /** The place of a node, such as `src/x.ts:12`. */
  at(node: { readonly start: number }): string;
}

type RawComment = ReturnType<typeof parseSync>['comments'][number];

const isContinued = (last: RawComment | undefined, next: RawComment, text: string): boolean =>
  last?.type === 'Line' && next.type === 'Line' && /^\n[ \t]*$/.test(text.slice(last.end, next.start));

/** Consecutive line comments are one comment. */
function joinLineComments(raw: readonly RawComment[], text: string): readonly Comment[] {
  const joined: { start: number; lines: string[] }[] = [];
  for (const [i, { start, value }] of raw.entries()) {
    if (isContinued(raw[i - 1], raw[i]!, text)) joined.at(-1)!.lines.push(value);
    else joined.push({ start, lines: value.split('\n') });
  }
  const toLine = (line: string): string => line.replace(/^[\s*]+/, '').trim();
  return joined.map(({ start, lines }) => ({ start, text: lines.map(toLine).join(' ').trim() }));
}

export function parse({ path, text }: SourceFile): Parsed {
  const { program, comments, errors } = parseSync(path, text);
  const [error] = errors;
  // A file that does not parse would pass every policy.
  if (error !== undefined) throw new Error(`${path} does not parse: ${error.message}`);
  return {
    path,
    program,
    comments: joinLineComments(comments, text),
    at: ({ start }) => `${path}:${text.slice(0, start).split('\n').length}`,
  };
}

const isNode = (value: unknown): value is ESTree.Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

function childrenOf(node: ESTree.Node): readonly ESTree.Node[] {
  return Object.values(node)
    .flatMap((value: unknown) => (Array.isArray(value) ? (value as unknown[]) : [value]))
    .filter(isNode);
}

export interface Visited {
  readonly node: ESTree.Node;
  /** The enclosing node. */
  readonly parent: ESTree.Node | undefined;
}

/** A node and all nodes below it in source order, including types. */
export function walk(top: ESTree.Node): readonly Visited[] {
  const found: Visited[] = [];
  function visit(node: ESTree.Node, parent: ESTree.Node | undefined): void {
    found.push({ node, parent });
    for (const child of childrenOf(node)) visit(child, node);
  }
  visit(top, undefined);
  return found;
}

/** Nodes of one type in source order. */
export function nodesOf<T extends ESTree.Node['type']>(
  node: ESTree.Node,
  type: T,
): readonly Extract<ESTree.Node, { type: T }>[] {
  const found: Extract<ESTree.Node, { type: T }>[] = [];
  const isWanted = (one: ESTree.Node): one is Extract<ESTree.Node, { type: T }> => one.type === type;
  for (const { node: one } of walk(node)) if (isWanted(one)) found.push(one);
  return found;
}

export const isName = (node: ESTree.Node | null | undefined, name: string): boolean =>
  node?.type === 'Identifier' && node.name === name;

/** The text of a string literal, or of a template without expressions. */
export function literalText(node: ESTree.Node | null | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type !== 'TemplateLiteral' || node.expressions.length > 0) return undefined;
  return node.quasis[0]?.value.cooked ?? undefined;
}

/** `a.b` and `a['b']` → `b`; undefined if computed. */
export function memberName(node: ESTree.MemberExpression): string | undefined {
  if (node.computed) return literalText(node.property);
  return node.property.type === 'Identifier' ? node.property.name : undefined;
}
