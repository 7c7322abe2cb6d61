import type { Node, Tree, TreeCursor } from 'web-tree-sitter';
import { notebookLimits } from '../notebook-limits.ts';
import type { Grammar } from './grammars.ts';
import { errorAt, missingError } from './syntax-errors.ts';
import { type ErrorEntry, positionAt, type SyntaxReport, toWarning } from './syntax-report.ts';

const openers: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
const isBracket = (type: string): boolean => /^[()[\]{}]$/.test(type);
const isQuote = (type: string): boolean => /^(?:[uUL$@]|u8)?["']$/.test(type);

interface Opener {
  readonly text: string;
  readonly at: number;
}

/** A conditional of the preprocessor, and the brackets that were open before it. */
interface Conditional {
  readonly at: number;
  readonly open: readonly Opener[];
}

/** Yields the cursor at each token; `currentNode` is slow and needed for few of them. */
function* walkTokens(tree: Tree): Generator<TreeCursor> {
  const cursor = tree.walk();
  try {
    for (;;) {
      if (cursor.gotoFirstChild()) continue;
      yield cursor;
      while (!cursor.gotoNextSibling()) if (!cursor.gotoParent()) return;
    }
  } finally {
    cursor.delete();
  }
}

/**
 * A bracket, quote or `#if` without its partner, in a text that its grammar did not accept. Undefined also if a conditional
 * of the preprocessor opens or closes brackets: which of its branches is compiled is not known.
 */
function findUnbalanced(tree: Tree, text: string): ErrorEntry | undefined {
  if (text.length > notebookLimits.treeWalkChars) return undefined;
  const open: Opener[] = [];
  const conditionals: Conditional[] = [];
  let inserted: Node | undefined;
  // Where the parser inserted a partner is closer to the mistake than where the scan notices it.
  const errorOf = (at: number, message: string): ErrorEntry =>
    inserted === undefined ? errorAt(text, at, message) : missingError(inserted, text);

  for (const cursor of walkTokens(tree)) {
    const { nodeType: type, startIndex: at } = cursor;
    if (isQuote(type)) {
      const node = cursor.currentNode;
      if (!(node.isMissing || node.parent?.isError === true) || !isUnclosed(text, at, type)) continue;
      return node.isMissing ? missingError(node, text) : errorAt(text, at, `${JSON.stringify(type)} is never closed`);
    }
    if (cursor.nodeIsMissing) {
      if (isBracket(type)) inserted ??= cursor.currentNode;
    } else if (type in openers) {
      const last = open.pop();
      if (last?.text === openers[type]) continue;
      return conditionals.length > 0 ? undefined : errorOf(at, `unexpected "${type}": ${describe(last, text)}`);
    } else if (isBracket(type)) open.push({ text: type, at });
    else if (type.startsWith('#') || type === 'preproc_directive') {
      const directive = cursor.nodeText.replaceAll(/\s/g, '');
      if (directive.startsWith('#if')) conditionals.push({ at, open: [...open] });
      if (directive !== '#endif') continue;
      const before = conditionals.pop();
      if (before === undefined) return undefined;
      if (open.length !== before.open.length || open.some((opener, i) => opener !== before.open[i])) return undefined;
    }
  }
  const conditional = conditionals.at(-1);
  if (conditional !== undefined)
    return countLines(text, /^[ \t]*#[ \t]*if/gm) > countLines(text, /^[ \t]*#[ \t]*endif/gm)
      ? errorAt(text, conditional.at, '"#if" is never closed with "#endif"')
      : undefined;
  const last = open.at(-1);
  return last === undefined ? undefined : errorOf(last.at, `"${last.text}" is never closed`);
}

const countLines = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** The parser may split a text at the wrong quote, so the whole line decides. */
function isUnclosed(text: string, at: number, type: string): boolean {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const [line = ''] = text.slice(start).split('\n', 1);
  const quotes = line.match(type.endsWith('"') ? /(?<!\\)"/g : /(?<!\\)'/g);
  return (quotes?.length ?? 0) % 2 === 1;
}

function describe(opener: Opener | undefined, text: string): string {
  if (opener === undefined) return 'nothing is open';
  const { line, column } = positionAt(text, opener.at);
  return `"${opener.text}" of line ${line}, column ${column} is still open`;
}

const indentationError = ({ startPosition: { row, column } }: Node, message: string): ErrorEntry => ({
  message,
  code: 'INDENTATION',
  line: row + 1,
  column: column + 1,
});

/** The grammar only counts indents and dedents, and accepts an empty block. */
function findIndentationErrors({ rootNode }: Tree, text: string): readonly ErrorEntry[] {
  const errors: ErrorEntry[] = [];
  if (text.length > notebookLimits.treeWalkChars) return errors;
  for (const block of [rootNode, ...rootNode.descendantsOfType('block')]) {
    const statements = block.namedChildren.filter((node) => node.type !== 'comment');
    const [first] = statements;
    if (first === undefined) {
      const owner = (block.parent?.type ?? 'block').replaceAll('_', ' ');
      if (block !== rootNode)
        errors.push(indentationError(block.parent ?? block, `expected an indented block in ${owner}`));
      continue;
    }
    const column = block === rootNode ? 0 : first.startPosition.column;
    let row = -1;
    for (const node of statements) {
      const { row: startRow, column: startColumn } = node.startPosition;
      if (startRow !== row && startColumn !== column)
        errors.push(indentationError(node, 'the indentation does not match that of the lines before'));
      row = node.endPosition.row;
    }
  }
  return errors;
}

const strayError = (text: string, at: number, name: string): ErrorEntry =>
  errorAt(text, at, `unexpected ${JSON.stringify(name)}: nothing is open that it ends`);

/** The grammar reads an `end` too many as a name. */
const findStrayEnds = ({ rootNode }: Tree, text: string): readonly ErrorEntry[] =>
  rootNode.namedChildren
    .filter((node) => node.type === 'identifier' && node.text === 'end')
    .map(({ startIndex }) => strayError(text, startIndex, 'end'));

const shellKeywords: ReadonlySet<string> = new Set(['fi', 'done', 'esac', 'then', 'do', 'else', 'elif', '}']);

/** The grammar reads a `fi` without `if` as a command of that name. */
function findStrayKeywords({ rootNode }: Tree, text: string): readonly ErrorEntry[] {
  const errors: ErrorEntry[] = [];
  for (const { startIndex, endIndex } of rootNode.descendantsOfType('command_name')) {
    // Slicing the text is much cheaper than `node.text`, which copies it out of the tree.
    const name = text.slice(startIndex, endIndex);
    if (shellKeywords.has(name)) errors.push(strayError(text, startIndex, name));
  }
  return errors;
}

/** Errors that a grammar overlooks in a text that it accepts. */
export const overlookedErrors: Partial<Record<Grammar, (tree: Tree, text: string) => readonly ErrorEntry[]>> = {
  python: findIndentationErrors,
  ruby: findStrayEnds,
  bash: findStrayKeywords,
};

/** Errors that are certain although the grammar lacks a part of the language: pairs that do not match. */
const certainInShell =
  /never closed|end of the text|missing "(?:fi|done|esac|then|do|\}|\)|\]\]?|;;|")"|unexpected "(?:\||\|\||&&|;|;;|\)|\}|fi|done|esac|then|do|else|elif)"/;

type FindCertain = (errors: readonly ErrorEntry[], tree: Tree, text: string) => readonly ErrorEntry[];

const findBracketErrors: FindCertain = (_, tree, text) => {
  const unbalanced = findUnbalanced(tree, text);
  return unbalanced === undefined ? [] : [unbalanced];
};

/** Grammars that do not know all of their language: they lack a preprocessor, or lag behind (RULINGS R8). */
const incompleteGrammars: Partial<Record<Grammar, FindCertain>> = {
  c: findBracketErrors,
  cpp: findBracketErrors,
  'c-sharp': findBracketErrors,
  bash: (errors) => errors.filter(({ message }) => certainInShell.test(message)),
};

/** What a grammar that did not accept the text says about it. */
export function weighErrors(grammar: Grammar, errors: readonly ErrorEntry[], tree: Tree, text: string): SyntaxReport {
  const certain = incompleteGrammars[grammar]?.(errors, tree, text) ?? errors;
  if (certain.length > 0) return { errors: certain, warnings: [] };
  const warnings = errors.map(({ line, column, message }) =>
    toWarning(
      { line: line!, column: column! },
      `${message}, or a construct that the grammar does not know`,
      'SYNTAX_UNKNOWN',
    ),
  );
  return { errors: [], warnings, checked: 'partly' };
}
