import type { Language, Node, Tree } from 'web-tree-sitter';
import { notebookLimits } from '../notebook-limits.ts';
import { type ErrorEntry, positionAt } from './syntax-report.ts';

/** Why the grammar did not accept the text. At most one error per line: a second one mostly follows from the first. */
export function findSyntaxErrors(tree: Tree, text: string): readonly ErrorEntry[] {
  const lines = new Set<number>();
  return findBrokenNodes(tree)
    .map((node) => toError(node, tree.language, text))
    .toSorted((a, b) => a.line! - b.line! || a.column! - b.column!)
    .filter(({ line }) => !lines.has(line!) && lines.add(line!));
}

/** The outermost error nodes, and the tokens that the parser had to insert. */
function findBrokenNodes(tree: Tree): readonly Node[] {
  const found: Node[] = [];
  const cursor = tree.walk();
  for (;;) {
    const node = cursor.currentNode;
    if (node.isMissing || node.isError) found.push(node);
    else if (node.hasError && cursor.gotoFirstChild()) continue;
    let isOver = false;
    while (!isOver && !cursor.gotoNextSibling()) isOver = !cursor.gotoParent();
    if (isOver) break;
  }
  cursor.delete();
  return found;
}

/** The tokens below a node, in the order of the text. */
function leavesOf(root: Node): readonly Node[] {
  const leaves: Node[] = [];
  const stack = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.childCount > 0) stack.push(...node.children.toReversed());
    else if (!node.isExtra && node.endIndex > node.startIndex) leaves.push(node);
  }
  return leaves;
}

const symbolsOfState = new WeakMap<Language, Map<number, ReadonlySet<number | null>>>();

/** Whether the grammar has an action for this token in the state in which it was read. */
function isAccepted({ parseState, grammarId }: Node, language: Language): boolean {
  const states = symbolsOfState.get(language) ?? new Map<number, ReadonlySet<number | null>>();
  symbolsOfState.set(language, states);
  let symbols = states.get(parseState);
  if (symbols === undefined) {
    const iterator = language.lookaheadIterator(parseState);
    // A token that was read in several states at a time has none of its own.
    if (iterator === null) return true;
    const known = new Set<number | null>();
    for (const _ of iterator) known.add(iterator.currentTypeId);
    iterator.delete();
    symbols = known;
    states.set(parseState, symbols);
  }
  return symbols.has(grammarId);
}

const errorState = 0;

/**
 * Where the parser stopped. An error node spans all that was given up, which may begin long before the token that did not
 * fit: that token is the first one that its parse state does not accept, or else the one after the node.
 */
function findStop(node: Node, language: Language, text: string): { readonly start: number; readonly end: number } {
  const range = ({ startIndex: start, endIndex: end }: Node) => ({ start, end });
  if (node.descendantCount > notebookLimits.brokenNodesCount) return range(node);
  let before: Node | undefined;
  for (const leaf of leavesOf(node)) {
    if (leaf.isError || !isAccepted(leaf, language)) return range(leaf);
    if (leaf.parseState === errorState) return range(before ?? leaf);
    before = leaf;
  }
  for (let outer: Node | null = node; outer !== null; outer = outer.parent)
    for (let next = outer.nextSibling; next !== null; next = next.nextSibling)
      if (!next.isExtra && next.endIndex > next.startIndex) return range(firstLeaf(next));
  return { start: text.length, end: text.length };
}

function firstLeaf(node: Node): Node {
  let leaf = node;
  while (leaf.firstChild !== null) leaf = leaf.firstChild;
  return leaf;
}

function toError(node: Node, language: Language, text: string): ErrorEntry {
  if (node.isMissing) return missingError(node, text);
  const { start, end } = findStop(node, language, text);
  const opener = findOpener(node);
  const isAtEnd = start >= text.trimEnd().length;
  if (isAtEnd && opener !== undefined) return errorAt(text, opener.startIndex, `${quote(opener.type)} is never closed`);
  const token = isAtEnd ? 'end of the text' : quote(tokenAt(text, start, end));
  const hint =
    opener === undefined || opener.startIndex >= start
      ? ''
      : `; ${quote(opener.type)} on line ${opener.startPosition.row + 1} is still open`;
  return errorAt(text, start, `unexpected ${token}${contextOf(node)}${hint}`);
}

const partners: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** The innermost bracket among the given-up tokens that has no partner among them. */
function findOpener(node: Node): Node | undefined {
  if (node.childCount > notebookLimits.brokenNodesCount) return undefined;
  const open: Node[] = [];
  for (const child of node.children) {
    if (child.type in partners) open.push(child);
    else if (open.length > 0 && partners[open.at(-1)!.type] === child.type) open.pop();
  }
  return open.at(-1);
}

const shownChars = 40;

function tokenAt(text: string, start: number, end: number): string {
  const line = text.slice(start, Math.max(end, start + 1)).split('\n', 1)[0]!;
  return line.length > shownChars ? `${line.slice(0, shownChars)}…` : line.trimEnd() || text.slice(start, start + 1);
}

const quote = (text: string): string => JSON.stringify(text);

export const errorAt = (text: string, offset: number, message: string): ErrorEntry => ({
  message,
  code: 'SYNTAX_ERROR',
  ...positionAt(text, offset),
});

const nameOf = (node: Node): string => (node.isNamed ? toWords(node.type) : quote(node.type));
const toWords = (type: string): string => type.replace(/^_+/, '').replaceAll('_', ' ');

/** The construct around a node, unless that is the whole text. */
function contextOf(node: Node): string {
  for (let parent = node.parent; parent?.parent != null; parent = parent.parent)
    if (parent.isNamed && !parent.isError && !/^(?:block|body|statement_block|declaration_list)$/.test(parent.type))
      return ` in ${toWords(parent.type)}`;
  return '';
}

/** The error of a token that the parser inserted. */
export const missingError = (node: Node, text: string): ErrorEntry =>
  errorAt(text, node.startIndex, `missing ${nameOf(node)}${contextOf(node)}`);
