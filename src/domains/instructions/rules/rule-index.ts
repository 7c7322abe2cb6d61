import { type ApplicableRule, compareRules, type KeyedCondition } from './applicability.ts';

export interface IndexedCondition extends KeyedCondition {
  /** The positions of the rules that have it. */
  readonly rules: readonly number[];
}

/** Rules by their conditions: thousands of rules share far fewer conditions. */
export interface RuleIndex {
  /** In the order of an answer. */
  readonly rules: readonly ApplicableRule[];
  /** The positions of general rules. */
  readonly general: readonly number[];
  readonly conditions: readonly IndexedCondition[];
}

/** The rule applies only if every group matches, so it is found by the group that matches least often. */
function rarestGroup({ groups }: ApplicableRule, countOf: (key: string) => number): readonly KeyedCondition[] {
  let rarest: readonly KeyedCondition[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const group of groups) {
    const count = group.reduce((sum, { key }) => sum + countOf(key), 0);
    if (count < least) [rarest, least] = [group, count];
  }
  return rarest;
}

export function createRuleIndex(unsorted: readonly ApplicableRule[]): RuleIndex {
  const rules = unsorted.toSorted(compareRules);
  const counts = new Map<string, number>();
  for (const { any, groups } of rules) {
    for (const { key } of [any, ...groups].flat()) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const general: number[] = [];
  const conditions = new Map<string, KeyedCondition & { readonly rules: number[] }>();
  for (const [at, rule] of rules.entries()) {
    if (rule.isGeneral) general.push(at);
    for (const condition of [...rule.any, ...rarestGroup(rule, (key) => counts.get(key) ?? 0)]) {
      const known = conditions.get(condition.key);
      if (known === undefined) conditions.set(condition.key, { ...condition, rules: [at] });
      else known.rules.push(at);
    }
  }
  return { rules, general, conditions: [...conditions.values()] };
}
