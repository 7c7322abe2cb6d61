import { notebookLimits } from '../notebook-limits.ts';
import { type ErrorEntry, positionAt, type SyntaxReport } from './syntax-report.ts';

/** One token (CSS Syntax Level 3), no finer than the checks need. */
const token =
  /\/\*|"(?:\\(?:\r\n|[\s\S])|[^"\\\n\r\f])*"?|'(?:\\(?:\r\n|[\s\S])|[^'\\\n\r\f])*'?|url\(\s*(?!["'\s])|<!--|-->|[-\w\u0080-\uffff]+|\\[\s\S]?|[\s\S]/giy;
const blanks = /[ \t\n\r\f]*/y;
const declarationStart =
  /^(?:--[-\w\\\u0080-\uffff]*|[*_$]?-?[A-Za-z_\\\u0080-\uffff][-\w\\\u0080-\uffff]*)[ \t\n\r\f]*(?=[:;}]|$)/;
const partners: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Ends the validation: after an open string or comment the rest would be misread. */
class UnclosedError extends Error {}

/**
 * Validation only what all of CSS shares, so new properties, functions and conditions pass: strings, comments and brackets
 * are closed, a rule has a block, a declaration has a colon and a value.
 */
export function validateCss(text: string): SyntaxReport {
  const errors: ErrorEntry[] = [];
  let at = 0;

  const report = (offset: number, message: string): void => {
    // Errors beyond the limit are only counted, and computing a position takes time.
    const isShown = errors.length < notebookLimits.shownErrorsCount;
    errors.push({ message, code: 'CSS_SYNTAX', ...(isShown ? positionAt(text, offset) : {}) });
  };
  function giveUp(offset: number, message: string): never {
    report(offset, message);
    throw new UnclosedError();
  }

  /** Skips comments; undefined at the end. */
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
        if (end === -1) giveUp(start, 'the comment is never closed');
        at = end + 2;
        continue;
      }
      if (word === '<!--' || word === '-->') continue;
      const quote = word[0]!;
      if ((quote === '"' || quote === "'") && (word.length === 1 || word.at(-1) !== quote))
        giveUp(start, 'the string is not closed on its line');
      if (/^url\(/i.test(word)) readUrl(start);
      return { word, start };
    }
  }

  function readUrl(start: number): void {
    const end = text.indexOf(')', at);
    if (end === -1) giveUp(start, '"url(" is never closed');
    at = end + 1;
  }

  /** From after an opening bracket to after its partner. */
  function readGroup(bracket: string, start: number): void {
    const open = [{ bracket, start }];
    while (open.length > 0) {
      const found = next();
      const last = open.at(-1)!;
      if (found === undefined) giveUp(last.start, `"${last.bracket}" is never closed`);
      if (found.word in partners) open.push({ bracket: found.word, start: found.start });
      else if (found.word === partners[last.bracket]) open.pop();
      else if (found.word === ')' || found.word === ']' || found.word === '}') {
        const { line, column } = positionAt(text, last.start);
        giveUp(
          found.start,
          `unexpected "${found.word}": "${last.bracket}" of line ${line}, column ${column} is still open`,
        );
      }
    }
  }

  /** Reads up to `;`, `{` or `}` outside brackets and returns that token without consuming it. */
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

  function checkDeclaration(start: number, end: number): void {
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
        if (open.length > 0) checkDeclaration(start, at);
        else report(start, `expected a rule, found ${JSON.stringify(word)}: it has no block`);
      }
    }
    for (const start of open) report(start, '"{" is never closed');
  }

  try {
    readAll();
  } catch (error) {
    if (!(error instanceof UnclosedError)) throw error;
  }
  return { errors, warnings: [] };
}

/** True for whitespace and comments only. */
function isBlank(value: string): boolean {
  let rest = value.trim();
  while (rest.startsWith('/*') && rest.includes('*/')) rest = rest.slice(rest.indexOf('*/') + 2).trim();
  return rest === '';
}
