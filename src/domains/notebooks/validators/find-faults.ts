import type { Node, Parser, Tree } from 'web-tree-sitter';
import { notebookLimits } from '../notebook-limits.ts';
import { findStops, type Stop } from './parse-trace.ts';
import type { ErrorEntry } from './result.ts';

/** A syntax error with the offsets it is about. */
export interface SyntaxFault {
  readonly entry: ErrorEntry;
  readonly start: number;
  readonly end: number;
}

/** What did not fit the grammar, in words, first things first: one a line, for the second is mostly made by the first. */
export function findFaults(parser: Parser, tree: Tree, text: string, isTraced = true): readonly SyntaxFault[] {
  const broken = findBroken(tree);
  const stops = isTraced && broken.some((node) => node.isError) ? locate(findStops(parser, text), text) : [];
  const found = broken.map((node) => toFault(node, stops, text));
  const lines = new Set<number>();
  return found
    .toSorted((a, b) => a.entry.line! - b.entry.line! || a.entry.column! - b.entry.column!)
    .filter(({ entry }) => !lines.has(entry.line!) && lines.add(entry.line!));
}

/** The nodes of errors, outermost ones only, and the tokens that the parser had to make up. */
function findBroken(tree: Tree): readonly Node[] {
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

interface Located extends Stop {
  /** Offsets of the token that did not fit, without the blanks before it. */
  readonly start: number;
  readonly end: number;
}

function locate(stops: readonly Stop[], text: string): readonly Located[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return stops.map((stop) => {
    const from = (starts[stop.row] ?? text.length) + stop.column;
    const end = Math.min(from + stop.length, text.length);
    let start = from;
    while (start < end && /\s/.test(text[start]!)) start += 1;
    return { ...stop, start, end };
  });
}

function toFault(node: Node, stops: readonly Located[], text: string): SyntaxFault {
  const { startIndex: start, endIndex: end } = node;
  if (node.isMissing) return { entry: entryAt(text, start, `missing ${nameOf(node)}${contextOf(node)}`), start, end };
  // The token that did not fit lies inside, or is the first one after what was given up.
  const stop = stops.find((candidate) => candidate.start >= start && candidate.start <= skipBlanks(text, end));
  const opener = findOpener(node);
  const isAtEnd = stop === undefined ? false : stop.isEnd || stop.start >= text.trimEnd().length;
  if (isAtEnd && opener !== undefined)
    return { entry: entryAt(text, opener.startIndex, `${quote(opener.type)} is never closed`), start, end };
  const at = stop?.start ?? start;
  const token = isAtEnd ? 'end of the text' : quote(tokenAt(text, at, stop?.end ?? end));
  const hint =
    opener === undefined || opener.startIndex >= at
      ? ''
      : `; ${quote(opener.type)} on line ${opener.startPosition.row + 1} is still open`;
  return { entry: entryAt(text, at, `unexpected ${token}${contextOf(node)}${hint}`), start, end };
}

const skipBlanks = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && /\s/.test(text[at]!)) at += 1;
  return at;
};

const partners: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** The innermost bracket among the tokens that were given up whose partner is not among them. */
function findOpener(node: Node): Node | undefined {
  if (node.childCount > notebookLimits.brokenChildrenCount) return undefined;
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

function entryAt(text: string, offset: number, message: string): ErrorEntry {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
    start = at + 1;
  }
  return { message, code: 'SYNTAX_ERROR', line, column: offset - start + 1 };
}

const nameOf = (node: Node): string => (node.isNamed ? wordsOf(node.type) : quote(node.type));
const wordsOf = (type: string): string => type.replace(/^_+/, '').replaceAll('_', ' ');

/** The construct around it, unless that is the whole text. */
function contextOf(node: Node): string {
  for (let parent = node.parent; parent?.parent != null; parent = parent.parent)
    if (parent.isNamed && !parent.isError && !/^(?:block|body|statement_block|declaration_list)$/.test(parent.type))
      return ` in ${wordsOf(parent.type)}`;
  return '';
}
