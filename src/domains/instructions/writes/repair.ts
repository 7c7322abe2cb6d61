import type { Call } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import type { EntryChange } from '../catalog/catalog.ts';
import { canonicalise, sourceHashOf } from '../rules/canonical.ts';
import { completeEntry } from '../rules/complete-entry.ts';
import { commitAll } from './commit-all.ts';
import type { DiffInput, WritesDeps } from './writes-deps.ts';

export interface RepairAnswer {
  readonly repaired: number;
  readonly updated: readonly string[];
  readonly hash: string;
}

export function createRepair(deps: WritesDeps) {
  const { catalog, clock, canonicalOff } = deps;

  /** A stored hash that is not that of the body is replaced; the body is what counts. */
  async function repairHashes(call: Call): Promise<RepairAnswer> {
    const state = await catalog.state(call);
    const now = toIso(clock.now());
    const wrong = state.entries.filter(
      ({ body, sourceHash }) => sourceHashOf(canonicalise(body, canonicalOff)) !== sourceHash,
    );
    const changes = wrong.map((entry): EntryChange => {
      const after = completeEntry(entry, { now, canonicalOff, existing: entry, isTrusted: true });
      return { id: entry.id, before: state.find(entry.id)?.etag ?? null, after };
    });
    const { state: after, done } = await commitAll(catalog, call, changes);
    if (done.length > 0) deps.onMutation?.(call, { action: 'repair', ids: done });
    return { repaired: done.length, updated: done, hash: after.hash };
  }

  return async (call: Call, input: DiffInput): Promise<RepairAnswer | object> =>
    input.clientHash !== undefined || input.known !== undefined ? deps.diff(call, input) : repairHashes(call);
}
