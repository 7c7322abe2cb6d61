import { z } from 'zod';
import { type Call, withoutKey } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { fitPage } from '#kernel/text/budget.ts';
import type { ArchivedEntry } from '../catalog/catalog.ts';
import { instructionIdPattern } from '../instruction-ids.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { ArchivedItem, ListArchivedAnswer, ListArchivedInput } from '../tools/instructions-list-archived.ts';
import type { RestoreAnswer } from '../tools/instructions-restore.ts';
import type { WritesDeps } from './writes-deps.ts';

export function createRestore(deps: WritesDeps) {
  const { catalog, idempotency } = deps;

  async function restore(call: Call, ids: readonly string[]): Promise<RestoreAnswer> {
    const wanted = [...new Set(ids)];
    if (wanted.length > instructionLimits.restoreIdsCount) {
      throw faults.RESOURCE_LIMIT({ what: 'The restoration', limit: instructionLimits.restoreIdsCount, unit: 'ids' });
    }
    const state = await catalog.state(call);
    const existing = await idempotency.savePlan(
      call,
      wanted.filter((id) => state.find(id) !== undefined),
    );
    const open = wanted.filter((id) => instructionIdPattern.test(id) && state.find(id) === undefined);
    const { restored } = open.length === 0 ? { restored: [] } : await catalog.restore(withoutKey(call), open);
    if (restored.length > 0) deps.onMutation?.(call, { action: 'restore', ids: restored });
    const wasThere = new Set(existing);
    const after = await catalog.state(call);
    const restoredIds = wanted.filter((id) => !wasThere.has(id) && after.find(id) !== undefined);
    return {
      restored: restoredIds.length,
      restoredIds,
      existing,
      missing: wanted.filter((id) => !wasThere.has(id) && after.find(id) === undefined),
      hash: after.hash,
    };
  }

  return (call: Call, { ids }: { readonly ids: readonly string[] }): Promise<RestoreAnswer> =>
    idempotency.answerOnce(call, () => restore(call, ids));
}

const cursorState = z.object({ at: z.number(), id: z.string() });

const toItem = ({ entry, removedAt, removedBy }: ArchivedEntry): ArchivedItem => ({
  id: entry.id,
  title: entry.title,
  version: entry.version,
  owner: entry.owner,
  sourceHash: entry.sourceHash,
  removedAt: toIso(removedAt),
  removedBy,
});

export function createListArchived({ catalog, cursors }: WritesDeps) {
  return async (call: Call, { limit, cursor }: ListArchivedInput): Promise<ListArchivedAnswer> => {
    const before = cursor === undefined ? undefined : cursorState.parse(cursors.open(call.tool, call.tenant, cursor));
    const rows = await catalog.listArchived(call, limit + 1, before);
    const { items } = fitPage(rows.slice(0, limit).map(toItem));
    const last = rows[items.length - 1];
    const hasMore = rows.length > items.length && last !== undefined;
    return {
      count: items.length,
      items,
      ...(hasMore && { nextCursor: cursors.seal(call.tool, call.tenant, { at: last.removedAt, id: last.entry.id }) }),
    };
  };
}
