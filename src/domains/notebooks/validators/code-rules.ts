import type { Node, Tree } from 'web-tree-sitter';
import { notebookLimits } from '../notebook-limits.ts';
import type { Grammar } from './grammars.ts';
import { errorAt } from './syntax-errors.ts';
import { type ErrorEntry, type SyntaxReport, toWarning } from './syntax-report.ts';
import { findUnbalanced } from './unbalanced-brackets.ts';

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
