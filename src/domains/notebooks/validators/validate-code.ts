import type { Parser, Tree } from 'web-tree-sitter';
import type { Language } from '../languages.ts';
import { overlookedErrors, weighErrors } from './code-rules.ts';
import { abandonWorker, type Grammar, parserOf } from './grammars.ts';
import { findSyntaxErrors } from './syntax-errors.ts';
import type { SyntaxReport } from './syntax-report.ts';

const grammars: Partial<Record<Language, Grammar>> = {
  py: 'python',
  rs: 'rust',
  c: 'c',
  cpp: 'cpp',
  hpp: 'cpp',
  sh: 'bash',
  java: 'java',
  go: 'go',
  rb: 'ruby',
  cs: 'c-sharp',
};

const looksLikeCpp = (text: string): boolean => /\b(?:class|namespace|template|using)\b|::/.test(text);

function grammarOf(text: string, language: Language): Grammar {
  if (language === 'h') return looksLikeCpp(text) ? 'cpp' : 'c';
  // Without a tag the php grammar would read the whole cell as text.
  if (language === 'php') return text.includes('<?') ? 'php' : 'php-only';
  const grammar = grammars[language];
  if (grammar === undefined) throw new Error(`bug: no grammar for ${language}`);
  return grammar;
}

function parse(parser: Parser, text: string): Tree {
  parser.reset();
  const tree = parser.parse(text);
  if (tree === null) throw new Error('bug: the parser was cancelled');
  return tree;
}

/** `try!` of Rust 2015 became a keyword in later editions, which are all that the grammar knows. */
const toGrammarEdition = (text: string, grammar: Grammar): string =>
  grammar === 'rust' ? text.replace(/\btry!/g, 'tri!') : text;

/** Inside the brackets of a macro, Rust allows tokens that the grammar rejects. */
const isInRustMacro = (message: string): boolean => /^unexpected .* in token tree(?: pattern)?$/.test(message);

async function validateWith(grammar: Grammar, text: string): Promise<SyntaxReport> {
  const parser = await parserOf(grammar);
  const source = toGrammarEdition(text, grammar);
  const tree = parse(parser, source);
  try {
    const errors = tree.rootNode.hasError ? findSyntaxErrors(tree, source) : [];
    const relevant = grammar === 'rust' ? errors.filter(({ message }) => !isInRustMacro(message)) : errors;
    if (relevant.length > 0) return weighErrors(grammar, relevant, tree, source);
    return { errors: overlookedErrors[grammar]?.(tree, source) ?? [], warnings: [] };
  } finally {
    tree.delete();
  }
}

export async function validateCode(text: string, language: Language): Promise<SyntaxReport> {
  try {
    return await validateWith(grammarOf(text, language), text);
  } catch (error) {
    // A trap, or a call to a function that the runtime does not have: the state of the module is undefined.
    if (error instanceof Error && (error.name === 'RuntimeError' || error instanceof TypeError))
      return abandonWorker(error);
    throw error;
  }
}
