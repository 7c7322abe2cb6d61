import type { SyntaxFault } from './find-faults.ts';
import type { Verdict } from './verdict.ts';

/** Where a grammar does not know all of its language, only what the structure shows is an error; the rest may be one. */
export function weighUnknown(flaws: readonly SyntaxFault[], certain: RegExp): Verdict {
  const isCertain = ({ entry }: SyntaxFault): boolean => certain.test(entry.message);
  return {
    errors: flaws.filter(isCertain).map(({ entry }) => entry),
    warnings: flaws
      .filter((fault) => !isCertain(fault))
      .map(({ entry }) => ({
        message: `line ${entry.line}, column ${entry.column}: ${entry.message}, or syntax that is not known here`,
        code: 'SYNTAX_UNKNOWN',
      })),
  };
}
