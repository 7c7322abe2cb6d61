import type { OneReading } from './c-preprocess.ts';
import type { SyntaxFault } from './find-faults.ts';
import { placeAt } from './place.ts';
import type { ErrorEntry } from './result.ts';
import type { Verdict } from './verdict.ts';

/** Comments, strings and characters on their own, so that brackets in them do not count; then brackets. */
const token =
  /\/\/[^\n]*|\/\*|R"([^ ()\\\t\v\f\n]{0,16})\(|"(?:\\[\s\S]|[^"\\\n])*"?|\w[\w']*|'(?:\\[\s\S]|[^'\\\n])*'?|[\s\S]/y;

const partners: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** The first bracket without its partner: the one thing about C that is wrong whatever the macros are. */
function findBracketFault(text: string): ErrorEntry | undefined {
  const open: { readonly bracket: string; readonly at: number }[] = [];
  const pattern = token;
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const [word] = found;
    if (word === '/*' || word.startsWith('R"')) {
      const end = word === '/*' ? '*/' : `)${found[1]}"`;
      const at = text.indexOf(end, pattern.lastIndex);
      if (at === -1)
        return toError(
          text,
          found.index,
          word === '/*' ? 'the comment is never closed' : 'the raw string is never closed',
        );
      pattern.lastIndex = at + end.length;
    } else if (word === '(' || word === '[' || word === '{') open.push({ bracket: word, at: found.index });
    else if (word in partners) {
      const last = open.pop();
      if (last === undefined) return toError(text, found.index, `unexpected "${word}": nothing is open`);
      if (last.bracket !== partners[word]) {
        const { line, column } = placeAt(text, last.at);
        return toError(
          text,
          found.index,
          `unexpected "${word}": "${last.bracket}" of line ${line}, column ${column} is still open`,
        );
      }
    }
  }
  const last = open.at(-1);
  return last === undefined ? undefined : toError(text, last.at, `"${last.bracket}" is never closed`);
}

const toError = (text: string, at: number, message: string): ErrorEntry => ({
  message,
  code: 'SYNTAX_ERROR',
  ...placeAt(text, at),
});

const words = /\w+/g;
const isUpper = (word: string): boolean => /[A-Z]/.test(word) && word === word.toUpperCase();

/** Names that are macros by custom: in capitals, or behind an underscore in capitals, or of the compiler. */
const isMacroName = (word: string): boolean =>
  word.length > 2 && (isUpper(word) || word.startsWith('_') || isUpper(word.slice(word.indexOf('_') + 1)));

/**
 * A macro may stand for anything, and what it stands for is mostly in another file. Where one stands at the place of an
 * error nobody can tell without compiling, so that is said instead of an error.
 */
export function weighMacros(flaws: readonly SyntaxFault[], { text, macros, isOpen }: OneReading): Verdict {
  const lines = text.split('\n');
  const mayBeMacro = ({ entry, start, end }: SyntaxFault): boolean => {
    if (isOpen) return true;
    const at = entry.line! - 1;
    const from = Math.max(0, Math.min(at, lineOf(text, start)) - 1);
    const to = Math.min(lines.length - 1, Math.max(at, Math.min(lineOf(text, end), at + 3)));
    const near = lines.slice(Math.max(from, at - 4), to + 1).join('\n');
    return (near.match(words) ?? []).some((word) => isMacroName(word) || macros.has(word));
  };
  const unsure = flaws.filter(mayBeMacro);
  const bracket = unsure.length === 0 ? undefined : findBracketFault(text);
  if (bracket !== undefined) return { errors: [bracket], warnings: [] };
  return {
    errors: flaws.filter((fault) => !unsure.includes(fault)).map(({ entry }) => entry),
    warnings: unsure.map(({ entry }) => ({
      message: `line ${entry.line}, column ${entry.column}: ${entry.message}, unless a macro makes it right`,
      code: 'MACRO_NOT_EXPANDED',
    })),
  };
}

function lineOf(text: string, offset: number): number {
  let line = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
