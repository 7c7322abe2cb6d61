import type { Parser } from 'web-tree-sitter';

/** A place where every reading of the text came to an end. */
export interface Stop {
  readonly row: number;
  /** In UTF-16 units, before the blanks that precede the token. */
  readonly column: number;
  /** UTF-16 units, with those blanks. */
  readonly length: number;
  readonly isEnd: boolean;
}

const position = / row:(\d+), col:(\d+)$/;
const size = / size:(\d+)$/;

/**
 * Reads the text once more and notes where the parser had to start mending. The tree does not tell: an error in it spans
 * whatever was given up, which may begin far before the token that did not fit.
 *
 * The log: `process … row:, col:` opens a step of one reading, `lexed_lookahead … size:` is its next token,
 * `detect_error` gives the reading up, and `resume` says that all were given up. Columns and sizes count bytes of UTF-16.
 */
export function findStops(parser: Parser, text: string): readonly Stop[] {
  const stops: Stop[] = [];
  let here = { row: 0, column: 0 };
  let length = 0;
  let furthest: Stop | undefined;
  const isFurther = (a: { row: number; column: number }, b: { row: number; column: number }): boolean =>
    a.row > b.row || (a.row === b.row && a.column >= b.column);
  parser.setLogger((message, isLexer) => {
    if (isLexer) return;
    if (message.startsWith('process ')) {
      const found = position.exec(message);
      if (found !== null) here = { row: Number(found[1]), column: Number(found[2]) / 2 };
    } else if (message.startsWith('lexed_lookahead ')) length = Number(size.exec(message)?.[1] ?? 0) / 2;
    else if (message.startsWith('detect_error ')) {
      if (furthest === undefined || isFurther(here, furthest))
        furthest = { ...here, length, isEnd: message === 'detect_error lookahead:end' };
    } else if (message.startsWith('resume ') && furthest !== undefined) {
      stops.push(furthest);
      furthest = undefined;
    }
  });
  try {
    parser.reset();
    parser.parse(text)?.delete();
  } finally {
    parser.setLogger(null);
  }
  return stops;
}
