import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { canonicalJson } from '#kernel/json/canonical.ts';
import { fitPage, jsonBytes } from '#kernel/text/budget.ts';
import type { CatalogState } from '../catalog/catalog.ts';
import { instructionLimits } from '../instruction-limits.ts';
import {
  compareGroups,
  isBinding,
  isServed,
  type MatchContext,
  type TaskContext,
  toMatchContext,
} from '../rules/applicability.ts';
import { isInScope, type ScopeSelector } from '../rules/scope.ts';
import type { ApplicableItem, ApplicableResult, RelatedItem } from '../tools/instructions-applicable.ts';
import { compileRule, findMatching, type MatchingRule } from './find-matching.ts';
import { findRelated, type RelatedRule, type RelatedRules } from './find-related.ts';
import { fitBodies } from './fit-bodies.ts';
import { openCursor, type ReadsDeps } from './reads-deps.ts';

export interface ApplicableInput extends TaskContext, ScopeSelector {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

const tool = 'instructions/applicable';
const cursorState = z.object({ of: z.string(), at: z.int().min(0) });

/** Rejects a cursor of an earlier catalog: continuing could skip a binding rule. */
const otherRequest = 'the cursor belongs to another request or to an earlier catalog; start again without it';

const toItem = ({ rule, reasons }: MatchingRule): ApplicableItem => {
  const { id, title, requirement, priority, body } = rule.entry;
  return { id, title, requirement, priority, reasons, body };
};

const toRelatedItem = ({ entry, reason }: RelatedRule): RelatedItem => {
  const { id, title, requirement, body } = entry;
  return { id, title, requirement, reason, body };
};

type Deps = Pick<ReadsDeps, 'catalog' | 'cursors' | 'embeddings'>;
type Request = Omit<ApplicableInput, 'limit' | 'cursor'>;

const nothingRelated: RelatedRules = { rules: [], others: [], fits: new Map() };

async function findByText(
  deps: Deps,
  call: Call,
  state: CatalogState,
  request: Request,
  context: MatchContext,
  found: readonly MatchingRule[],
): Promise<RelatedRules> {
  const { task = '' } = request;
  if (task.trim() === '') return nothingRelated;
  const known = new Set(found.map(({ rule }) => rule.entry));
  return findRelated(
    deps,
    call,
    state,
    request,
    (entry) =>
      !known.has(entry) &&
      isServed(entry) &&
      isInScope(entry, request) &&
      compileRule(entry)?.isElsewhere(context) !== true,
  );
}

/**
 * The conditions of a general rule say nothing about the task, so those whose text does come first in their group.
 * Binding rules keep their place: all of them are listed anyway.
 */
function putFittingFirst(matching: readonly MatchingRule[], fits: RelatedRules['fits']): readonly MatchingRule[] {
  const found = matching.map((one) => {
    const { rule, reasons } = one;
    const fit = rule.isGeneral ? fits.get(rule.entry.id) : undefined;
    const known = fit?.reason === undefined ? reasons : [...reasons, fit.reason];
    return { rule, reasons: known, score: isBinding(rule.entry) ? 0 : (fit?.score ?? 0) };
  });
  return found.sort((a, b) => compareGroups(a.rule, b.rule) || b.score - a.score);
}

/** Shown as long as no rule was made for this situation. */
function hintFor(found: readonly MatchingRule[]): string | undefined {
  if (found.some(({ rule }) => !rule.isGeneral)) return undefined;
  const what =
    found.length === 0 ? 'No rule applies by its conditions' : 'Only general rules apply by their conditions';
  return `${what}. instructions_search searches all entries.`;
}

export async function findApplicable(
  deps: Deps,
  { limit = instructionLimits.defaultResultsCount, cursor, ...request }: ApplicableInput,
  call: Call,
): Promise<ApplicableResult> {
  const state = await deps.catalog.state(call);
  const context = toMatchContext(request);
  const matching = await findMatching(state, request, context, call.signal);
  const related = await findByText(deps, call, state, request, context, matching);
  const found = putFittingFirst(matching, related.fits);
  const order = found.map(({ rule }) => rule.entry.id);
  const fingerprint = sha256Hex(canonicalJson([request, state.hash, order])).slice(0, 16);
  const toCursor = (at: number) =>
    at < found.length ? { nextCursor: deps.cursors().seal(tool, call.tenant, { of: fingerprint, at }) } : {};
  const answer = { hash: state.hash, count: found.length };
  if (cursor !== undefined) {
    const { at } = openCursor(deps, call, cursorState, { tool, fingerprint, cursor, why: otherRequest });
    const { items } = fitPage(found.slice(at, at + limit).map(toItem));
    return { ...answer, items, ...toCursor(at + items.length) };
  }
  const page = fitBodies({
    found: found.map(toItem),
    related: related.rules.map(toRelatedItem),
    limit,
    takenBytes: jsonBytes(related.others),
  });
  const hint = hintFor(found);
  return {
    ...answer,
    items: page.items,
    ...(page.related.length > 0 ? { may_apply: page.related } : {}),
    ...(related.others.length > 0 ? { others: related.others } : {}),
    ...(page.leftOut === undefined ? {} : { leftOut: page.leftOut }),
    ...(hint === undefined ? {} : { hint }),
    ...toCursor(page.bodiesCount),
  };
}
