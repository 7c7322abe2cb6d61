import { type Call, withoutKey } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import { createPacer } from '#kernel/clock/yield-to-event-loop.ts';
import { Fault } from '#kernel/fault/fault.ts';
import type { EntryChange } from '../catalog/catalog.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { toProposedMany } from '../proposals/record-proposals.ts';
import { type GroomItem, type GroomMode, type GroomPlan, groomSteps } from '../rules/plan-groom.ts';
import type { GroomAnswer, GroomInput } from '../tools/instructions-groom.ts';
import { changedIds, commitAll } from './commit-changes.ts';
import { mayDecide } from './prepare-entry.ts';
import { hasStaleHash, readStoredEntries, type StoredEntry, withUnknownFields } from './stored-entries.ts';
import type { WritesDeps } from './writes-deps.ts';

function toGroomItem(item: StoredEntry): GroomItem {
  const entry = withUnknownFields(item);
  const list = item.stored?.['categories'];
  const isList = Array.isArray(list) && list.every((name) => typeof name === 'string');
  return { entry, hasStaleHash: hasStaleHash(item), ...(isList && { storedCategories: list }) };
}

const nothingDone = {
  repairedHashes: 0,
  normalizedCategories: 0,
  purgedScopes: 0,
  duplicatesMerged: 0,
  deprecatedRemoved: 0,
} as const;

export function createGroom(deps: WritesDeps) {
  const { catalog, clock, canonicalOff, idempotency } = deps;

  async function plan(call: Call, items: readonly GroomItem[], mode: GroomMode): Promise<GroomPlan> {
    const steps = groomSteps(items, mode, { now: toIso(clock.now()), canonicalOff });
    const pace = createPacer(instructionLimits.writeTurnMs, call.signal);
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      await pace();
    }
  }

  /** The entries are removed, so a failure here does not fail the call; a later run prunes the rest. */
  async function pruneUsage(call: Call, removed: readonly string[]): Promise<number> {
    try {
      return (await deps.pruneUsage?.(withoutKey(call), removed)) ?? 0;
    } catch (error) {
      if (error instanceof Fault) return 0;
      throw error;
    }
  }

  async function groom(call: Call, { mode }: GroomInput): Promise<GroomAnswer> {
    const startedAt = performance.now();
    const state = await catalog.state(call);
    const items = (await readStoredEntries(deps, call, state)).map(toGroomItem);
    const { changes, notes, ...counts } = await plan(call, items, mode);
    const planned = [...changes].map(
      ([id, after]): EntryChange => ({ id, before: state.find(id)?.etag ?? null, after }),
    );
    const removals = new Set(planned.filter(({ after }) => after === null).map(({ id }) => id));
    const answer = { previousHash: state.hash, scanned: items.length, ...counts, dryRun: mode.dryRun };
    const isProposed = !mode.dryRun && !mayDecide(call);
    const proposalIds = isProposed && planned.length > 0 ? await deps.propose(call, planned) : [];
    if (mode.dryRun || isProposed) {
      const would = [`would-rewrite:${planned.length - removals.size}`, `would-remove:${removals.size}`];
      return {
        ...answer,
        ...(isProposed && nothingDone),
        hash: state.hash,
        usagePruned: 0,
        filesRewritten: 0,
        notes: [...would.filter((note) => !note.endsWith(':0')), ...notes],
        performanceMs: Math.round(performance.now() - startedAt),
        ...toProposedMany(proposalIds),
      };
    }
    const settled = await idempotency.savePlan(call, {
      answer,
      notes,
      rewritten: planned.filter(({ id }) => !removals.has(id)).map(({ id }) => id),
      removed: [...removals],
    });
    const committed = await commitAll(catalog, call, planned);
    const { state: after, done, failed } = committed;
    const removed = changedIds(settled.removed, committed);
    const usagePruned = removed.length === 0 ? 0 : await pruneUsage(call, removed);
    if (done.length > 0) deps.onMutation?.(call, { action: 'groom', ids: done });
    return {
      ...settled.answer,
      hash: after.hash,
      deprecatedRemoved: removed.length,
      usagePruned,
      filesRewritten: changedIds(settled.rewritten, committed).length,
      notes: [...settled.notes, ...failed.slice(0, 100).map(({ id }) => `conflict:${id}`)],
      performanceMs: Math.round(performance.now() - startedAt),
    };
  }

  return (call: Call, input: GroomInput): Promise<GroomAnswer> =>
    input.mode.dryRun ? groom(call, input) : idempotency.answerOnce(call, () => groom(call, input));
}
