import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { canonicalJson } from '#kernel/json/canonical.ts';
import { fitPage } from '#kernel/text/budget.ts';
import type { CatalogState } from '../catalog/catalog.ts';
import { runInBatches } from '../catalog/time-slices.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';
import {
  type ApplicableRule,
  compareRules,
  type TaskContext,
  toApplicableRule,
  toMatchContext,
} from '../rules/applicability.ts';
import { isInScope, type ScopeSelector } from '../rules/scope.ts';
import type { ApplicableItem, ApplicableResult } from '../tools/instructions-applicable.ts';
import { openCursor, type ReadsDeps } from './reads-deps.ts';

export interface ApplicableInput extends TaskContext, ScopeSelector {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

const tool = 'instructions/applicable';
const cursorState = z.object({ of: z.string(), at: z.int().min(0) });

/** Null when the rule never applies by itself. Keyed by entry, so that a write recompiles only what changed. */
const compiled = new WeakMap<InstructionEntry, ApplicableRule | null>();
const rulesByState = new WeakMap<CatalogState, readonly ApplicableRule[]>();

function compile(entry: InstructionEntry): ApplicableRule | null {
  let rule = compiled.get(entry);
  if (rule === undefined) {
    rule = toApplicableRule(entry) ?? null;
    compiled.set(entry, rule);
  }
  return rule;
}

/** Sorted once per catalog state. */
async function applicableRules(state: CatalogState, signal: AbortSignal): Promise<readonly ApplicableRule[]> {
  const known = rulesByState.get(state);
  if (known !== undefined) return known;
  const rules: ApplicableRule[] = [];
  await runInBatches(state.entries, signal, (part) => rules.push(...part.map(compile).filter((rule) => rule !== null)));
  rules.sort((a, b) => compareRules(a.entry, b.entry));
  rulesByState.set(state, rules);
  return rules;
}

/** Rejects a cursor of an earlier catalog: continuing could skip a binding rule. */
const otherRequest = 'the cursor belongs to another request or to an earlier catalog; start again without it';

export async function findApplicable(
  deps: Pick<ReadsDeps, 'catalog' | 'cursors'>,
  { limit = instructionLimits.defaultResultsCount, cursor, ...request }: ApplicableInput,
  call: Call,
): Promise<ApplicableResult> {
  const state = await deps.catalog.state(call);
  const fingerprint = sha256Hex(canonicalJson([request, state.hash])).slice(0, 16);
  const start =
    cursor === undefined ? 0 : openCursor(deps, call, cursorState, { tool, fingerprint, cursor, why: otherRequest }).at;
  const context = toMatchContext(request);
  const toItems = (rule: ApplicableRule): readonly ApplicableItem[] => {
    if (!isInScope(rule.entry, request)) return [];
    const reasons = rule.matchReasons(context);
    const { id, title, requirement, priority, body } = rule.entry;
    return reasons.length === 0 ? [] : [{ id, title, requirement, priority, reasons, body }];
  };
  const all: ApplicableItem[] = [];
  const rules = await applicableRules(state, call.signal);
  await runInBatches(rules, call.signal, (part) => all.push(...part.flatMap(toItems)));
  const { items } = fitPage(all.slice(start, start + limit));
  const next = start + items.length;
  return {
    hash: state.hash,
    count: all.length,
    items,
    ...(all.length === 0 ? { hint: 'No rule applies; instructions_search searches all entries.' } : {}),
    ...(next < all.length && items.length > 0
      ? { nextCursor: deps.cursors().seal(tool, call.tenant, { of: fingerprint, at: next }) }
      : {}),
  };
}
