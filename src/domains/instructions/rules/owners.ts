import { findExplosion } from '#kernel/pattern/explosive.ts';

/** Entries whose id matches the pattern belong to the owner. */
export interface OwnerRule {
  readonly pattern: string;
  readonly owner: string;
}

const ownerLimits = { patternChars: 200 } as const;

/**
 * Ids are short, so starting again at every position is cheap. A pattern that backtracks more than that could take
 * seconds, and an invalid one means nothing: both match no id.
 */
function toTest({ pattern }: OwnerRule): RegExp | undefined {
  if (pattern === '*') return /^/;
  if (pattern.length > ownerLimits.patternChars) return undefined;
  const explosion = findExplosion(pattern);
  if (explosion !== undefined && explosion.kind !== 'restarting') return undefined;
  try {
    return new RegExp(pattern);
  } catch {
    return undefined;
  }
}

const compiled = new WeakMap<OwnerRule, RegExp | null>();

function testOf(rule: OwnerRule): RegExp | null {
  const known = compiled.get(rule);
  if (known !== undefined) return known;
  const test = toTest(rule) ?? null;
  compiled.set(rule, test);
  return test;
}

/** The owner of the first matching rule. */
export const ownerOf = (id: string, rules: readonly OwnerRule[]): string | undefined =>
  rules.find((rule) => testOf(rule)?.test(id) === true)?.owner;
