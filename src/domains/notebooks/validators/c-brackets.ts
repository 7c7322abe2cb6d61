import { placeAt } from './place.ts';
import type { ErrorEntry } from './result.ts';

/** Comments, strings and characters on their own, so that brackets in them do not count; then brackets. */
const token =
  /\/\/[^\n]*|\/\*|R"([^ ()\\\t\v\f\n]{0,16})\(|"(?:\\[\s\S]|[^"\\\n])*"?|\w[\w']*|'(?:\\[\s\S]|[^'\\\n])*'?|[\s\S]/y;

const partners: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** The first bracket without its partner: the one thing about C that is wrong whatever the macros are. */
export function findBracketFault(text: string): ErrorEntry | undefined {
  const open: { readonly bracket: string; readonly at: number }[] = [];
  const pattern = token;
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const [word] = found;
    if (word === '/*' || word.startsWith('R"')) {
      const end = word === '/*' ? '*/' : `)${found[1]}"`;
      const at = text.indexOf(end, pattern.lastIndex);
      if (at === -1)
        return fault(
          text,
          found.index,
          word === '/*' ? 'the comment is never closed' : 'the raw string is never closed',
        );
      pattern.lastIndex = at + end.length;
    } else if (word === '(' || word === '[' || word === '{') open.push({ bracket: word, at: found.index });
    else if (word in partners) {
      const last = open.pop();
      if (last === undefined) return fault(text, found.index, `unexpected "${word}": nothing is open`);
      if (last.bracket !== partners[word]) {
        const { line, column } = placeAt(text, last.at);
        return fault(
          text,
          found.index,
          `unexpected "${word}": "${last.bracket}" of line ${line}, column ${column} is still open`,
        );
      }
    }
  }
  const last = open.at(-1);
  return last === undefined ? undefined : fault(text, last.at, `"${last.bracket}" is never closed`);
}

const fault = (text: string, at: number, message: string): ErrorEntry => ({
  message,
  code: 'SYNTAX_ERROR',
  ...placeAt(text, at),
});
