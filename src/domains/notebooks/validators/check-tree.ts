import type { Node, Parser, Tree } from 'web-tree-sitter';
import type { Language } from '../languages.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { weighMacros } from './c-macros.ts';
import { readOneWay } from './c-preprocess.ts';
import { toOlderCSharp, weighCSharp } from './csharp-syntax.ts';
import { findFaults, type SyntaxFault } from './find-faults.ts';
import { abandonThread, type Grammar, parserOf } from './grammars.ts';
import { weighShell } from './shell-words.ts';
import type { Verdict } from './verdict.ts';

const faultAt = ({ startPosition: { row, column }, startIndex, endIndex }: Node, message: string): SyntaxFault => ({
  entry: { message, code: 'INDENTATION', line: row + 1, column: column + 1 },
  start: startIndex,
  end: endIndex,
});

/** Statements of one block begin in one column. The grammar only counts in and out, and takes an empty block. */
function findPythonFaults({ rootNode }: Tree): readonly SyntaxFault[] {
  const flaws: SyntaxFault[] = [];
  for (const block of [rootNode, ...rootNode.descendantsOfType('block')]) {
    const statements = block.namedChildren.filter((node) => node.type !== 'comment');
    const [first] = statements;
    if (first === undefined) {
      if (block !== rootNode)
        flaws.push(faultAt(block.parent ?? block, `expected an indented block in ${nameOf(block)}`));
      continue;
    }
    const column = block === rootNode ? 0 : first.startPosition.column;
    let row = -1;
    for (const node of statements) {
      const { row: startRow, column: startColumn } = node.startPosition;
      if (startRow !== row && startColumn !== column)
        flaws.push(faultAt(node, 'the indentation does not match that of the lines before'));
      row = node.endPosition.row;
    }
  }
  return flaws;
}

const nameOf = (block: Node): string => (block.parent?.type ?? 'block').replaceAll('_', ' ');

/** The grammars that a text may be read with; it is sound when one of them takes it. */
function grammarsOf(text: string, language: Language): readonly Grammar[] {
  switch (language) {
    case 'py':
      return ['python'];
    case 'rs':
      return ['rust'];
    case 'c':
      return ['c'];
    case 'h':
      return ['c', 'cpp'];
    case 'cpp':
    case 'hpp':
      return ['cpp'];
    case 'sh':
      return ['bash'];
    case 'java':
      return ['java'];
    case 'go':
      return ['go'];
    case 'rb':
      return ['ruby'];
    case 'php':
      // Without a tag a file would be nothing but text; in a cell it is code.
      return [text.includes('<?') ? 'php' : 'php-only'];
    case 'cs':
      return ['c-sharp'];
    default:
      throw new Error(`bug: ${language} is not read with a grammar`);
  }
}

function parse(parser: Parser, text: string): Tree {
  parser.reset();
  const tree = parser.parse(text);
  if (tree === null) throw new Error('bug: a parser was stopped by nobody');
  return tree;
}

const toVerdict = (flaws: readonly SyntaxFault[]): Verdict => ({
  errors: flaws.map(({ entry }) => entry),
  warnings: [],
});

async function readWith(grammar: Grammar, text: string): Promise<Verdict> {
  const parser = await parserOf(grammar);
  const isC = grammar === 'c' || grammar === 'cpp';
  const way = isC ? readOneWay(toCommonSyntax(text, grammar), grammar === 'cpp') : undefined;
  const source = way?.text ?? toCommonSyntax(text, grammar);
  const tree = parse(parser, source);
  try {
    const flaws = tree.rootNode.hasError
      ? findFaults(parser, tree, source, way?.isOpen !== true).filter(isMeant(grammar))
      : [];
    if (way !== undefined) {
      const { errors, warnings } = weighMacros(flaws, way);
      return { errors: [...way.errors, ...errors], warnings };
    }
    if (grammar === 'bash') return weighShell(flaws, tree);
    if (grammar === 'c-sharp') return weighCSharp(flaws);
    const isIndented = flaws.length === 0 && grammar === 'python' && text.length <= notebookLimits.indentsChars;
    if (flaws.length === 0 && grammar === 'ruby') return toVerdict(findStrayEnds(tree));
    return toVerdict(isIndented ? findPythonFaults(tree) : flaws);
  } finally {
    tree.delete();
  }
}

/** An `end` too many is a name to the grammar of Ruby; it is always the outermost that finds nothing to end. */
const findStrayEnds = ({ rootNode }: Tree): readonly SyntaxFault[] =>
  rootNode.namedChildren
    .filter((node) => node.type === 'identifier' && node.text === 'end')
    .map(({ startPosition: { row, column }, startIndex: start, endIndex: end }) => ({
      entry: {
        message: 'unexpected "end": nothing is open that it ends',
        code: 'SYNTAX_ERROR',
        line: row + 1,
        column: column + 1,
      },
      start,
      end,
    }));

/** Syntax that a grammar does not know in other words, as long as those that stand there. */
function toCommonSyntax(text: string, grammar: Grammar): string {
  // A macro of Rust 2015; later editions made the name a keyword, and the grammar knows only those.
  if (grammar === 'rust') return text.replace(/\btry!/g, 'tri!');
  // `case 'a' ... 'z':` is an extension that every compiler has.
  if (grammar === 'c') return text.replace(/^[ \t]*case\b.*$/gm, (line) => line.replace(' ... ', '  +  '));
  return text;
}

/** What a grammar takes for an error and is none. */
const notMeant: Partial<Record<Grammar, RegExp>> = {
  // Inside the brackets of a macro any token may stand, also those that Rust itself has no use for.
  rust: /^unexpected .* in token tree(?: pattern)?$/,
};

const isMeant =
  (grammar: Grammar) =>
  ({ entry }: SyntaxFault): boolean =>
    notMeant[grammar]?.test(entry.message) !== true;

export async function checkTree(text: string, language: Language): Promise<Verdict> {
  try {
    return await readBest(text, language);
  } catch (error) {
    if (error instanceof Error && error.name === 'RuntimeError') return abandonThread(error);
    throw error;
  }
}

async function readBest(text: string, language: Language): Promise<Verdict> {
  let best: Verdict | undefined;
  for (const grammar of grammarsOf(text, language)) {
    const verdict = await readWith(grammar, text);
    if (best === undefined || weigh(verdict) < weigh(best)) best = verdict;
    if (weigh(best) === 0) break;
  }
  if (language === 'cs' && weigh(best!) > 0) {
    const verdict = await readWith('c-sharp', toOlderCSharp(text));
    if (weigh(verdict) < weigh(best!)) return verdict;
  }
  return best!;
}

const weigh = ({ errors, warnings }: Verdict): number => errors.length * 1000 + warnings.length;
