import type { Tree } from 'web-tree-sitter';
import type { SyntaxFault } from './find-faults.ts';
import { placeAt } from './place.ts';
import type { ErrorEntry } from './result.ts';
import { weighUnknown } from './unknown-syntax.ts';
import type { Verdict } from './verdict.ts';

/** Words that end or continue a construct; as a command they are an error in every shell. */
const reserved: ReadonlySet<string> = new Set(['fi', 'done', 'esac', 'then', 'do', 'else', 'elif', '}']);

/**
 * The grammar of the shell does not know all of it (a here-document before `||`, patterns of extglob), so what it cannot
 * read is only taken for an error where the structure shows it: brackets, quotes, words that must come in pairs.
 */
const certain =
  /never closed|end of the text|missing "(?:fi|done|esac|then|do|\}|\)|\]\]?|;;|")"|unexpected "(?:\||\|\||&&|;|;;|\)|\}|fi|done|esac|then|do|else|elif)"/;

export const weighShell = (flaws: readonly SyntaxFault[], tree: Tree): Verdict =>
  flaws.length === 0 ? { errors: findStray(tree), warnings: [] } : weighUnknown(flaws, certain);

/** `fi` without `if` is a command of that name to the grammar. */
function findStray({ rootNode }: Tree): readonly ErrorEntry[] {
  const { text } = rootNode;
  const found: ErrorEntry[] = [];
  for (const { startIndex, endIndex } of rootNode.descendantsOfType('command_name')) {
    // Not the node's own text: it would be copied out of the tree for each command.
    const name = text.slice(startIndex, endIndex);
    if (!reserved.has(name)) continue;
    const message = `unexpected ${JSON.stringify(name)}: nothing is open that it ends`;
    found.push({ message, code: 'SYNTAX_ERROR', ...placeAt(text, startIndex) });
  }
  return found;
}
