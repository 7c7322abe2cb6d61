import type { CharSet } from './char-set.ts';

export interface PatternFlags {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  readonly sticky: boolean;
  /** `u` or `v`: code points, strict syntax. */
  readonly unicode: boolean;
  readonly sets: boolean;
}

export const toPatternFlags = (flags: string): PatternFlags => ({
  ignoreCase: flags.includes('i'),
  multiline: flags.includes('m'),
  dotAll: flags.includes('s'),
  sticky: flags.includes('y'),
  unicode: flags.includes('u') || flags.includes('v'),
  sets: flags.includes('v'),
});

/** A regular expression as a tree. `at` is where a part begins in the source. */
export type Part =
  | { readonly kind: 'chars'; readonly set: CharSet; readonly at: number }
  | { readonly kind: 'sequence'; readonly parts: readonly Part[] }
  | { readonly kind: 'choice'; readonly options: readonly Part[] }
  | { readonly kind: 'repeat'; readonly body: Part; readonly min: number; readonly max: number; readonly at: number }
  | { readonly kind: 'group'; readonly body: Part; readonly index: number; readonly name: string | undefined }
  | { readonly kind: 'reference'; readonly to: number | string }
  /** `start` is `^` in a pattern without lines, `line` the same with the flag `m`, `other` is `$`, `\b`, `\B`. */
  | { readonly kind: 'assertion'; readonly type: 'start' | 'line' | 'other' }
  | { readonly kind: 'look'; readonly body: Part; readonly at: number };

export class PatternSyntaxError extends Error {
  override readonly name = 'PatternSyntaxError';
  readonly at: number;

  constructor(at: number, reason: string) {
    super(reason);
    this.at = at;
  }
}

/** Walks through the source of a pattern, by code point or by code unit as its flags say. */
export interface Source {
  readonly at: number;
  /** The character here, '' at the end. */
  peek(): string;
  next(): string;
  /** Goes past the text if it stands here. */
  take(text: string): boolean;
  /** Goes past what the sticky pattern matches here. */
  match(pattern: RegExp): RegExpExecArray | undefined;
  fail(reason: string, at?: number): never;
}

export function createSource(text: string, unicode: boolean): Source {
  let at = 0;
  const peek = (): string => {
    const code = unicode ? text.codePointAt(at) : text.charCodeAt(at);
    return at >= text.length || code === undefined ? '' : String.fromCodePoint(code);
  };
  return {
    get at() {
      return at;
    },
    peek,
    next() {
      const char = peek();
      at += char.length;
      return char;
    },
    take(wanted) {
      if (!text.startsWith(wanted, at)) return false;
      at += wanted.length;
      return true;
    },
    match(pattern) {
      pattern.lastIndex = at;
      const found = pattern.exec(text);
      if (found === null) return undefined;
      at += found[0].length;
      return found;
    },
    fail(reason, where = at) {
      throw new PatternSyntaxError(where, reason);
    },
  };
}
