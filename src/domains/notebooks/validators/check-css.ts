import { notebookLimits } from '../notebook-limits.ts';
import { placeAt } from './place.ts';
import type { ErrorEntry } from './result.ts';
import type { Verdict } from './verdict.ts';

/** One token (CSS Syntax Level 3), as coarse as errors need it. */
const token =
  /\/\*|"(?:\\(?:\r\n|[\s\S])|[^"\\\n\r\f])*"?|'(?:\\(?:\r\n|[\s\S])|[^'\\\n\r\f])*'?|url\(\s*(?!["'\s])|<!--|-->|[-\w\u0080-\uffff]+|\\[\s\S]?|[\s\S]/giy;
const blanks = /[ \t\n\r\f]*/y;
const declarationStart =
  /^(?:--[-\w\\\u0080-\uffff]*|[*_$]?-?[A-Za-z_\\\u0080-\uffff][-\w\\\u0080-\uffff]*)[ \t\n\r\f]*(?=[:;}]|$)/;
const partners: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Ends the reading: what follows an open string or comment would be told apart wrongly. */
class Lost extends Error {}

/**
 * Reads style sheets by the rules that all properties share, so new properties, functions and conditions are no errors.
 * Strings, comments and brackets close; a rule has a block; a declaration has a colon and a value.
 */
export function checkCss(text: string): Verdict {
  const errors: ErrorEntry[] = [];
  let at = 0;

  const report = (offset: number, message: string): void => {
    // Those that are only counted need no place, and finding one takes the longer the further it is.
    const isTold = errors.length < notebookLimits.checkErrorsCount;
    errors.push({ message, code: 'CSS_SYNTAX', ...(isTold ? placeAt(text, offset) : {}) });
  };
  function lose(offset: number, message: string): never {
    report(offset, message);
    throw new Lost();
  }

  /** The next token, comments left out; undefined at the end. */
  function next(): { readonly word: string; readonly start: number } | undefined {
    for (;;) {
      blanks.lastIndex = at;
      blanks.test(text);
      const start = blanks.lastIndex;
      if (start >= text.length) {
        at = text.length;
        return undefined;
      }
      token.lastIndex = start;
      const word = token.exec(text)![0];
      at = start + word.length;
      if (word === '/*') {
        const end = text.indexOf('*/', at);
        if (end === -1) lose(start, 'the comment is never closed');
        at = end + 2;
        continue;
      }
      if (word === '<!--' || word === '-->') continue;
      const quote = word[0]!;
      if ((quote === '"' || quote === "'") && (word.length === 1 || word.at(-1) !== quote))
        lose(start, 'the string is not closed on its line');
      if (/^url\(/i.test(word)) readUrl(start);
      return { word, start };
    }
  }

  function readUrl(start: number): void {
    const end = text.indexOf(')', at);
    if (end === -1) lose(start, '"url(" is never closed');
    at = end + 1;
  }

  /** From after an opening bracket past its partner. */
  function readGroup(bracket: string, start: number): void {
    const open = [{ bracket, start }];
    while (open.length > 0) {
      const found = next();
      const last = open.at(-1)!;
      if (found === undefined) lose(last.start, `"${last.bracket}" is never closed`);
      if (found.word in partners) open.push({ bracket: found.word, start: found.start });
      else if (found.word === partners[last.bracket]) open.pop();
      else if (found.word === ')' || found.word === ']' || found.word === '}') {
        const { line, column } = placeAt(text, last.start);
        lose(
          found.start,
          `unexpected "${found.word}": "${last.bracket}" of line ${line}, column ${column} is still open`,
        );
      }
    }
  }

  /** Reads up to `;`, `{` or `}` outside brackets, and says which; it is not taken. */
  function readPrelude(isBraced: boolean): string {
    for (;;) {
      const before = at;
      const found = next();
      if (found === undefined) return '';
      if (found.word === ';' || found.word === '}' || (found.word === '{' && !isBraced)) {
        at = before;
        return found.word;
      }
      if (found.word in partners) readGroup(found.word, found.start);
      else if (found.word === ')' || found.word === ']') report(found.start, `unexpected "${found.word}"`);
    }
  }

  function judgeDeclaration(start: number, end: number): void {
    const source = text.slice(start, end);
    const name = declarationStart.exec(source)?.[0];
    if (name === undefined || source[name.length] !== ':') {
      const first = /^[^\s;{}]+/.exec(source)?.[0] ?? source.slice(0, 20);
      report(start, `expected a declaration, found ${JSON.stringify(first)}: it has no ":"`);
      return;
    }
    const value = source.slice(name.length + 1);
    if (name.startsWith('--')) return;
    if (isBlank(value)) report(start, `${JSON.stringify(name.trim())} has no value`);
    const glued = /\S[ \t]*\r?\n\s*([a-z-]+)[ \t]*:[ \t]/.exec(value);
    if (glued !== null && !value.slice(0, glued.index).includes('('))
      report(start + name.length + 2 + glued.index, `missing ";" before ${JSON.stringify(glued[1])}`);
  }

  const open: number[] = [];
  function readAll(): void {
    for (;;) {
      const found = next();
      if (found === undefined) break;
      const { word, start } = found;
      if (word === ';') continue;
      if (word === '}') {
        if (open.pop() === undefined) report(start, 'unexpected "}": no block is open');
        continue;
      }
      at = start;
      const isCustom = open.length > 0 && text.startsWith('--', start);
      const ending = readPrelude(isCustom);
      if (ending === '{') {
        next();
        if (word === '{') report(start, 'a block without a selector');
        open.push(at - 1);
      } else if (word !== '@') {
        if (open.length > 0) judgeDeclaration(start, at);
        else report(start, `expected a rule, found ${JSON.stringify(word)}: it has no block`);
      }
    }
    for (const start of open) report(start, '"{" is never closed');
  }

  try {
    readAll();
  } catch (error) {
    if (!(error instanceof Lost)) throw error;
  }
  return { errors, warnings: [] };
}

/** Nothing but blanks and comments. */
function isBlank(value: string): boolean {
  let rest = value.trim();
  while (rest.startsWith('/*') && rest.includes('*/')) rest = rest.slice(rest.indexOf('*/') + 2).trim();
  return rest === '';
}
