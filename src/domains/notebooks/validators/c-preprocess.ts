import type { ErrorEntry } from './result.ts';

export interface OneReading {
  /** As long as the text, every line at its place: what the preprocessor eats is blank. */
  readonly text: string;
  readonly errors: readonly ErrorEntry[];
  /** Names that the text itself gives a meaning with `#define`. */
  readonly macros: ReadonlySet<string>;
  /** It includes more than the standard libraries, and macros may come from there. */
  readonly isOpen: boolean;
}

/** `<vector>`, `<stdio.h>`, `<sys/types.h>`: their macros are known and in capitals. */
const standardHeader =
  /^<(?:[a-z_]+|c?(?:assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale|math|setjmp|signal|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|stdnoreturn|string|strings|tgmath|threads|time|uchar|wchar|wctype|unistd|fcntl|pthread|poll|dirent|termios|netdb|sys\/[a-z]+|netinet\/[a-z]+|arpa\/inet)\.h)>/;

interface Condition {
  readonly line: number;
  readonly column: number;
  /** What stands here is read. */
  isOn: boolean;
  wasOn: boolean;
  readonly isOuterOn: boolean;
}

const blankOut = (line: string): string => line.replace(/[^\r]/g, ' ');
const directive = /^[ \t]*(#)[ \t]*([a-z_]*)[ \t]*/;

/** Which branch is read: the first one, unless it is known to be for another language or switched off. */
function isTaken(name: string, condition: string, isCpp: boolean): boolean {
  const says = condition.split('//', 1)[0]!.split('/*', 1)[0]!.trim();
  if (name === 'if' && /^\(?0\)?$/.test(says)) return false;
  if (/^(?:defined)?[ (]*__cplusplus\b/.test(says)) return name === 'ifndef' ? !isCpp : isCpp;
  if (/^![ ]?defined[ (]*__cplusplus\b/.test(says)) return !isCpp;
  return true;
}

/**
 * A grammar cannot know that of two branches only one is compiled: `{` in each of them looks like two. So one way through
 * the conditions is chosen and everything else made blank.
 */
export function readOneWay(text: string, isCpp: boolean): OneReading {
  const lines = text.split('\n');
  const errors: ErrorEntry[] = [];
  const macros = new Set<string>();
  const open: Condition[] = [];
  let isContinued = false;
  let isOpen = false;
  let until: string | undefined;

  const out = lines.map((line, index) => {
    const found = until === undefined && !isContinued ? directive.exec(line) : null;
    const isOn = open.at(-1)?.isOn ?? true;
    if (found === null) {
      const wasContinued = isContinued;
      isContinued = isContinued && /\\\r?$/.test(line);
      until = endOfLine(line, until);
      return !isOn || wasContinued ? blankOut(line) : line;
    }
    isContinued = /\\\r?$/.test(line);
    until = endOfLine(line, undefined);
    const place = { line: index + 1, column: line.indexOf('#') + 1 };
    follow(found[2]!, line.slice(found[0].length), place);
    // A comment that begins here and goes on keeps its beginning.
    const comment = until === '*/' ? line.lastIndexOf('/*') : -1;
    return comment === -1 ? blankOut(line) : blankOut(line.slice(0, comment)) + line.slice(comment);
  });

  function follow(name: string, rest: string, place: { line: number; column: number }): void {
    const top = open.at(-1);
    const isOuterOn = top?.isOn ?? true;
    if (name === 'if' || name === 'ifdef' || name === 'ifndef') {
      const isOn = isOuterOn && isTaken(name, rest, isCpp);
      open.push({ ...place, isOn, wasOn: isOn, isOuterOn });
    } else if (name === 'elif' || name === 'else' || name === 'elifdef' || name === 'elifndef') {
      if (top === undefined) {
        errors.push({ message: `"#${name}" without "#if"`, code: 'SYNTAX_ERROR', ...place });
        return;
      }
      top.isOn = top.isOuterOn && !top.wasOn && (name !== 'elif' || isTaken('if', rest, isCpp));
      top.wasOn ||= top.isOn;
    } else if (name === 'endif') {
      if (open.pop() === undefined) errors.push({ message: '"#endif" without "#if"', code: 'SYNTAX_ERROR', ...place });
    } else if (name === 'define' && isOuterOn) {
      const macro = /^\w+/.exec(rest)?.[0];
      if (macro !== undefined) macros.add(macro);
    } else if (name === 'include' && !standardHeader.test(rest)) isOpen = true;
  }

  for (const { line, column } of open)
    errors.push({ message: '"#if" is never closed with "#endif"', code: 'SYNTAX_ERROR', line, column });
  return { text: out.join('\n'), errors, macros, isOpen };
}

const opening = /\/\/|\/\*|R?"|'/g;

/** Past a character like `'\\''`; an apostrophe that begins none stands for itself. */
function skipCharacter(line: string, from: number): number {
  const end = line.indexOf("'", from + (line[from] === '\\' ? 2 : 1));
  return end === -1 || end - from > 10 ? from : end + 1;
}

/** What a line leaves open: the end of a comment or of a raw string. A string ends with its line. */
function endOfLine(line: string, before: string | undefined): string | undefined {
  let at = 0;
  let until = before;
  for (;;) {
    if (until !== undefined) {
      const end = line.indexOf(until, at);
      if (end === -1) return until;
      at = end + until.length;
      until = undefined;
    }
    opening.lastIndex = at;
    const found = opening.exec(line);
    if (found === null || found[0] === '//') return undefined;
    at = opening.lastIndex;
    if (found[0] === '/*') until = '*/';
    else if (found[0] === "'") at = skipCharacter(line, at);
    else if (found[0].startsWith('R')) until = `)${line.slice(at, Math.max(line.indexOf('(', at), at))}"`;
    else if (found[0] === '"') {
      while (at < line.length && line[at] !== '"') at += line[at] === '\\' ? 2 : 1;
      at += 1;
    }
  }
}
