import type { Call } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import type { EntryChange } from '../catalog/catalog.ts';
import { canonicalise, sourceHashOf } from '../rules/canonical.ts';
import { completeEntry } from '../rules/complete-entry.ts';
import { commitAll } from './commit-all.ts';
import { doneOf } from './done-of.ts';
import { createTurns, hasStaleHash, readStored, type StoredItem, withUnknown } from './stored-items.ts';
import type { DiffInput, WritesDeps } from './writes-deps.ts';

export interface RepairAnswer {
  readonly repaired: number;
  readonly updated: readonly string[];
  readonly hash: string;
}

export function createRepair(deps: WritesDeps) {
  const { catalog, clock, canonicalOff, repeats } = deps;

  async function findWrong(call: Call, items: readonly StoredItem[]): Promise<readonly StoredItem[]> {
    const wrong: StoredItem[] = [];
    const takeTurn = createTurns(call);
    for (const item of items) {
      await takeTurn();
      const { body, sourceHash } = item.kept.entry;
      if (hasStaleHash(item) || sourceHashOf(canonicalise(body, canonicalOff)) !== sourceHash) wrong.push(item);
    }
    return wrong;
  }

  /** A stored hash that is not that of what is stored is replaced; what was written counts, not its hash. */
  async function repairHashes(call: Call): Promise<RepairAnswer> {
    const wrong = await findWrong(call, await readStored(deps, call, await catalog.state(call)));
    const now = toIso(clock.now());
    const changes = wrong.map((item): EntryChange => {
      const { entry, etag } = item.kept;
      const after = completeEntry(withUnknown(item), { now, canonicalOff, existing: entry, isTrusted: true });
      return { id: entry.id, before: etag, after };
    });
    const settled = await repeats.settle(
      call,
      changes.map(({ id }) => id),
    );
    const committed = await commitAll(catalog, call, changes);
    const updated = doneOf(settled, committed);
    if (committed.done.length > 0) deps.onMutation?.(call, { action: 'repair', ids: committed.done });
    return { repaired: updated.length, updated, hash: committed.state.hash };
  }

  return async (call: Call, input: DiffInput): Promise<RepairAnswer | object> =>
    input.clientHash !== undefined || input.known !== undefined
      ? deps.diff(call, input)
      : repeats.answer(call, () => repairHashes(call));
}
