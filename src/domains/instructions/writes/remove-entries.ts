import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { CatalogProblem, EntryLookup } from '../catalog/catalog.ts';
import { instructionIdPattern } from '../instruction-ids.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { toProposedMany } from '../proposals/record-proposals.ts';
import { findDependents } from '../rules/entry-graph.ts';
import type { RemoveAnswer, RemoveError, RemoveInput } from '../tools/instructions-remove.ts';
import { changedIds, commitAll } from './commit-changes.ts';
import { mayDecide } from './prepare-entry.ts';
import type { WritesDeps } from './writes-deps.ts';

function assertConfirmed(count: number, confirm: boolean): void {
  if (count <= instructionLimits.removeUnconfirmedCount || confirm) return;
  throw faults.VALIDATION_ERROR(
    { why: `removing ${count} entries needs confirm: true` },
    { count, unconfirmedMax: instructionLimits.removeUnconfirmedCount },
  );
}

interface Target {
  readonly id: string;
  readonly before: string;
}

const unreadable = (id: string, { file, problem }: CatalogProblem): RemoveError => ({
  id,
  error: `unreadable file: ${file}: ${problem}; it was not removed: correct it or delete it manually`,
  code: 'VALIDATION_ERROR',
});

type Lookup = Pick<EntryLookup, 'found' | 'problem'>;

export function createRemove(deps: WritesDeps) {
  const { catalog, idempotency } = deps;

  /** Reads the files of a few entries; for many it uses the catalog, and an outdated entry causes a conflict. */
  async function findAll(call: Call, ids: readonly string[]): Promise<readonly (readonly [string, Lookup])[]> {
    if (ids.length <= instructionLimits.removeUnconfirmedCount) {
      return Promise.all(ids.map(async (id) => [id, await catalog.lookUp(call, id)] as const));
    }
    const state = await catalog.state(call);
    const problems = new Map(state.problems.map((problem) => [problem.file, problem]));
    return ids.map((id) => [id, { found: state.find(id), problem: problems.get(`${id}.json`) }]);
  }

  async function plan(call: Call, wanted: readonly string[], { confirm, cascade }: RemoveInput) {
    const errors: RemoveError[] = wanted
      .filter((id) => !instructionIdPattern.test(id))
      .map((id) => ({ id: id.slice(0, instructionLimits.previewChars), error: 'invalid id', code: 'INVALID_ID' }));
    const targets: Target[] = [];
    const missing: string[] = [];
    for (const [id, { found, problem }] of await findAll(
      call,
      wanted.filter((one) => instructionIdPattern.test(one)),
    )) {
      if (found !== undefined) targets.push({ id, before: found.etag });
      else if (problem !== undefined) errors.push(unreadable(id, problem));
      else missing.push(id);
    }
    const state = await catalog.state(call);
    const cascaded = cascade
      ? findDependents(
          state.entries,
          targets.map(({ id }) => id),
        )
      : [];
    assertConfirmed(targets.length + cascaded.length, confirm);
    const dependents = cascaded.map((id) => ({ id, before: state.find(id)?.etag ?? '' }));
    return { targets, dependents, missing, errors };
  }

  async function remove(call: Call, input: RemoveInput): Promise<RemoveAnswer> {
    const wanted = [...new Set(input.ids)];
    if (wanted.length > instructionLimits.removeIdsCount) {
      throw faults.RESOURCE_LIMIT({ what: 'The removal', limit: instructionLimits.removeIdsCount, unit: 'ids' });
    }
    assertConfirmed(wanted.length, input.confirm);
    const planned = await plan(call, wanted, input);
    const isRefused = deps.strictRemove && planned.missing.length + planned.errors.length > 0;
    // After an interrupted attempt its removed entries are missing; the saved plan knows them.
    if (isRefused && !(await idempotency.isDone(call, 'plan'))) {
      const { missing } = planned;
      const errors = [...planned.errors, ...missing.map((id) => ({ id, error: 'not found', code: 'NOT_FOUND' }))];
      const { hash } = await catalog.state(call);
      return { removed: 0, removedIds: [], missing, errorCount: errors.length, errors, hash };
    }
    const { targets, dependents, missing, errors: rejected } = await idempotency.savePlan(call, planned);
    const all = [...targets, ...dependents];
    const state = await catalog.state(call);
    const changes = all
      .filter(({ id }) => state.find(id) !== undefined)
      .map(({ id, before }) => ({ id, before, after: null }));
    if (!mayDecide(call)) {
      const answer = { missing, errorCount: rejected.length, errors: rejected, hash: state.hash };
      const proposalIds = changes.length === 0 ? [] : await deps.propose(call, changes);
      return { removed: 0, removedIds: [], ...answer, ...toProposedMany(proposalIds) };
    }
    const committed = await commitAll(catalog, call, changes);
    const removedIds = changedIds(
      all.map(({ id }) => id),
      committed,
    );
    const failures = committed.failed.map(({ id, fault }) => ({ id, error: fault.message, code: fault.code }));
    const errors = [...rejected, ...failures];
    if (committed.done.length > 0) deps.onMutation?.(call, { action: 'remove', ids: committed.done });
    const isCascaded = new Set(dependents.map(({ id }) => id));
    return {
      removed: removedIds.length,
      removedIds,
      missing,
      errorCount: errors.length,
      errors,
      ...(input.cascade && { cascadeRemovals: removedIds.filter((id) => isCascaded.has(id)) }),
      hash: committed.state.hash,
      ...(removedIds.length > 0 && { restore: { tool: 'instructions_restore', arguments: { ids: removedIds } } }),
    };
  }

  return (call: Call, input: RemoveInput): Promise<RemoveAnswer> =>
    idempotency.answerOnce(
      call,
      () => remove(call, input),
      ({ removed, errorCount }) => removed > 0 || errorCount === 0,
    );
}
