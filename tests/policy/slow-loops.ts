import { type AST, visitRegExpAST } from '@eslint-community/regexpp';
import { isDisjointWith, JS, NFA } from 'refa';
import { analyse } from 'scslre';

/** A loop that can repeat at least this often can backtrack for seconds. */
const manyCount = 10;

function toNfa(source: string, flags: string): NFA {
  const { expression, maxCharacter } = JS.Parser.fromLiteral({ source, flags }).parse({
    backreferences: 'disable',
    assertions: 'ignore',
  });
  return NFA.fromRegex(expression, { maxCharacter });
}

const canReadSame = (a: string, b: string, flags: string): boolean => !isDisjointWith(toNfa(a, flags), toNfa(b, flags));

const rawOf = (alternatives: readonly AST.Alternative[]): readonly string[] => alternatives.map(({ raw }) => raw);

function findSameAlternatives(group: AST.Node, flags: string): string | undefined {
  let found: string | undefined;
  const check = ({ alternatives }: { readonly alternatives: readonly AST.Alternative[] }): void => {
    const sources = rawOf(alternatives);
    sources.forEach((a, i) => {
      const b = sources.slice(i + 1).find((other) => canReadSame(a, other, flags));
      if (b !== undefined) found ??= `${a || 'nothing'} and ${b || 'nothing'} in a loop can match the same text`;
    });
  };
  visitRegExpAST(group, { onGroupEnter: check, onCapturingGroupEnter: check });
  return found;
}

/**
 * A repeated group that can match a text in two ways: `(a|a)*`, `(a|aa)*`, `(a?b?)*`. scslre only judges nested loops.
 */
function findAmbiguousGroup(pattern: AST.Pattern, flags: string): string | undefined {
  let found: string | undefined;
  visitRegExpAST(pattern, {
    onQuantifierEnter({ max, element }) {
      if (max < manyCount || (element.type !== 'Group' && element.type !== 'CapturingGroup')) return;
      const body = `(?:${rawOf(element.alternatives).join('|')})`;
      if (canReadSame(body, `${body}${body}+`, flags)) found ??= `one pass of ${body} can match as much as several`;
      found ??= findSameAlternatives(element, flags);
    },
  });
  return found;
}

/** Why this pattern can take more time than its text is long, or undefined. */
export function findSlowLoop(source: string, flags: string): string | undefined {
  const { reports, parsed } = analyse({ source, flags });
  const [report] = reports;
  if (report !== undefined) return `it rereads a run of ${JSON.stringify(report.character.pick)} (${report.type})`;
  return findAmbiguousGroup(parsed.pattern, flags.replace(/[gy]/g, ''));
}
