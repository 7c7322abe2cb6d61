import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { CatalogEntry } from '../catalog/catalog.ts';
import { findDependents } from '../rules/graph.ts';
import { instructionIdPattern } from '../words.ts';
import { commitAll } from './commit-all.ts';
import type { WritesDeps } from './writes-deps.ts';
import { writesLimits } from './writes-limits.ts';

export interface RemoveInput {
  readonly ids: readonly string[];
  readonly confirm: boolean;
  readonly cascade: boolean;
}

export interface RemoveError {
  readonly id: string;
  readonly error: string;
  readonly code: string;
}

export interface RemoveAnswer {
  readonly removed: number;
  readonly removedIds: readonly string[];
  readonly missing: readonly string[];
  readonly errorCount: number;
  readonly errors: readonly RemoveError[];
  readonly cascadeRemovals?: readonly string[];
  readonly hash: string;
}

function assertConfirmed(count: number, confirm: boolean): void {
  if (count <= writesLimits.removeUnconfirmedCount || confirm) return;
  throw faults.VALIDATION_ERROR(
    { why: `removing ${count} entries needs confirm: true` },
    { count, unconfirmedMax: writesLimits.removeUnconfirmedCount },
  );
}

export function createRemove(deps: WritesDeps) {
  const { catalog } = deps;

  /** A few are looked at where they are kept; of many the catalog knows enough, and a moved one is a conflict. */
  async function findAll(call: Call, ids: readonly string[]): Promise<ReadonlyMap<string, CatalogEntry | undefined>> {
    if (ids.length <= writesLimits.removeUnconfirmedCount) {
      const looks = await Promise.all(ids.map((id) => catalog.look(call, id)));
      return new Map(ids.map((id, at) => [id, looks[at]?.found]));
    }
    const state = await catalog.state(call);
    return new Map(ids.map((id) => [id, state.find(id)]));
  }

  return async (call: Call, { ids, confirm, cascade }: RemoveInput): Promise<RemoveAnswer> => {
    const wanted = [...new Set(ids)];
    if (wanted.length > writesLimits.removeIdsCount) {
      throw faults.RESOURCE_LIMIT({ what: 'The removal', limit: writesLimits.removeIdsCount, unit: 'ids' });
    }
    assertConfirmed(wanted.length, confirm);
    const errors: RemoveError[] = wanted
      .filter((id) => !instructionIdPattern.test(id))
      .map((id) => ({ id: id.slice(0, writesLimits.previewChars), error: 'invalid id', code: 'INVALID_ID' }));
    const wellFormed = wanted.filter((id) => instructionIdPattern.test(id));
    const found = await findAll(call, wellFormed);
    const missing = wellFormed.filter((id) => found.get(id) === undefined);
    const state = await catalog.state(call);
    if (deps.strictRemove && missing.length + errors.length > 0) {
      errors.push(...missing.map((id) => ({ id, error: 'not found', code: 'NOT_FOUND' })));
      return { removed: 0, removedIds: [], missing, errorCount: errors.length, errors, hash: state.hash };
    }
    const present = wellFormed.filter((id) => found.get(id) !== undefined);
    const dependents = cascade ? findDependents(state.entries, present) : [];
    assertConfirmed(present.length + dependents.length, confirm);
    const changes = [...present, ...dependents].map((id) => ({
      id,
      before: (found.get(id) ?? state.find(id))?.etag ?? null,
      after: null,
    }));
    // A removed entry lies in the archive before it leaves the catalog: the catalog sees to that.
    const { state: after, done, failed } = await commitAll(catalog, call, changes);
    errors.push(...failed.map(({ id, fault }) => ({ id, error: fault.message, code: fault.code })));
    if (done.length > 0) deps.onMutation?.(call, { action: 'remove', ids: done });
    const isCascaded = new Set(dependents);
    return {
      removed: done.length,
      removedIds: done,
      missing,
      errorCount: errors.length,
      errors,
      ...(cascade && { cascadeRemovals: done.filter((id) => isCascaded.has(id)) }),
      hash: after.hash,
    };
  };
}
