import type { SyntaxFault } from './find-faults.ts';
import { weighUnknown } from './unknown-syntax.ts';
import type { Verdict } from './verdict.ts';

const blank = (text: string): string => ' '.repeat(text.length);

/** Members of a class stand behind one of these; anything else is no place for a block of extensions. */
const isBeforeMember = (char: string | undefined): boolean => char === undefined || '{};'.includes(char);

/**
 * Syntax that is younger than the grammar in older words, as long as those that stand there. Only for a text that cannot
 * be read as it is: as names of somebody's own the same words mean something else.
 */
export function toOlderCSharp(text: string): string {
  return (
    text
      // Settings of a program that is one file.
      .replace(/^#[:!].*$/gm, blank)
      .replace(/\ballows ref struct\b/g, (found) => 'notnull'.padEnd(found.length))
      // `[var first, .. var rest]`
      .replace(/\.\.[ \t]?var \w{1,200}/g, (found) => '..'.padEnd(found.length))
      // `a?.B = 1`
      .replace(/\?(\.\w{1,200} ?(?:\?\?|[-+*/|&])?=(?![=>]))/g, ' $1')
      // `extension(string text) { … }` reads like a class with a constructor of its own.
      .replace(/\bextension(?= ?[(<])/g, (found, at: number) =>
        isBeforeMember(
          text
            .slice(Math.max(0, at - 400), at)
            .trimEnd()
            .at(-1),
        )
          ? 'class E'.padEnd(found.length)
          : found,
      )
  );
}

/** The language grows every year and the grammar follows: what it cannot read is an error where the structure shows it. */
const certain = /never closed|end of the text|missing |unexpected "(?:;|\)|\}|,)/;

export const weighCSharp = (flaws: readonly SyntaxFault[]): Verdict => weighUnknown(flaws, certain);
