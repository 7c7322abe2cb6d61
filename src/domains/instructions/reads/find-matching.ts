import type { CatalogState } from '../catalog/catalog.ts';
import { runInBatches } from '../catalog/time-slices.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { type ApplicableRule, type MatchContext, toApplicableRule } from '../rules/applicability.ts';
import { createRuleIndex, type RuleIndex } from '../rules/rule-index.ts';
import { isInScope, type ScopeSelector } from '../rules/scope.ts';

/** Null when the rule never applies by itself. Keyed by entry, so that a write recompiles only what changed. */
const compiled = new WeakMap<InstructionEntry, ApplicableRule | null>();
const indexByState = new WeakMap<CatalogState, RuleIndex>();

export function compileRule(entry: InstructionEntry): ApplicableRule | null {
  let rule = compiled.get(entry);
  if (rule === undefined) {
    rule = toApplicableRule(entry) ?? null;
    compiled.set(entry, rule);
  }
  return rule;
}

/** Once per catalog state. */
async function indexRules(state: CatalogState, signal: AbortSignal): Promise<RuleIndex> {
  const known = indexByState.get(state);
  if (known !== undefined) return known;
  const rules: ApplicableRule[] = [];
  await runInBatches(state.entries, signal, (part) =>
    rules.push(...part.map(compileRule).filter((rule) => rule !== null)),
  );
  const index = createRuleIndex(rules);
  indexByState.set(state, index);
  return index;
}

export interface MatchingRule {
  readonly rule: ApplicableRule;
  readonly reasons: readonly string[];
}

/** The rules whose conditions match, binding ones first. */
export async function findMatching(
  state: CatalogState,
  scope: ScopeSelector,
  context: MatchContext,
  signal: AbortSignal,
): Promise<readonly MatchingRule[]> {
  const { rules, general, conditions } = await indexRules(state, signal);
  const candidates = new Set(general);
  await runInBatches(conditions, signal, (part) => {
    for (const { match, rules: positions } of part) {
      if (match(context) !== undefined) for (const at of positions) candidates.add(at);
    }
  });
  const found: MatchingRule[] = [];
  await runInBatches(
    [...candidates].sort((a, b) => a - b),
    signal,
    (part) => {
      for (const at of part) {
        const rule = rules[at]!;
        const reasons = isInScope(rule.entry, scope) ? rule.matchReasons(context) : [];
        if (reasons.length > 0) found.push({ rule, reasons });
      }
    },
  );
  return found;
}
