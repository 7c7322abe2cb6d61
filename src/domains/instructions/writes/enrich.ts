import type { Call } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import type { EntryChange } from '../catalog/catalog.ts';
import { completeEntry } from '../rules/complete-entry.ts';
import { commitAll } from './commit-all.ts';
import { doneOf } from './done-of.ts';
import { readStored, type StoredItem, withUnknown } from './stored-items.ts';
import type { WritesDeps } from './writes-deps.ts';

export interface EnrichAnswer {
  /** Entries that lacked something. */
  readonly enriched: number;
  /** Files written. */
  readonly rewritten: number;
  readonly updated: readonly string[];
  readonly skipped: number;
  readonly hash: string;
}

/** A document laid out by hand lacks nothing: only one with a field missing is written anew. */
function lacksFields({ kept: { entry }, stored, isAsServed }: StoredItem): boolean {
  if (isAsServed) return false;
  return stored === undefined || Object.keys(entry).some((key) => stored[key] === undefined || stored[key] === null);
}

export function createEnrich(deps: WritesDeps) {
  const { catalog, clock, canonicalOff, repeats } = deps;

  async function enrich(call: Call): Promise<EnrichAnswer> {
    const state = await catalog.state(call);
    const items = await readStored(deps, call, state);
    const lacking = items.filter(lacksFields);
    const now = toIso(clock.now());
    const changes = lacking.map((item): EntryChange => {
      const { entry, etag } = item.kept;
      // Filling in is no edit: what was served stays what is served, dates and all.
      const completed = completeEntry(withUnknown(item), { now, canonicalOff, isTrusted: true });
      return { id: entry.id, before: etag, after: { ...completed, sourceHash: entry.sourceHash } };
    });
    const settled = await repeats.settle(
      call,
      changes.map(({ id }) => id),
    );
    const committed = await commitAll(catalog, call, changes);
    const updated = doneOf(settled, committed);
    if (committed.done.length > 0) deps.onMutation?.(call, { action: 'enrich', ids: committed.done });
    return {
      enriched: settled.length,
      rewritten: updated.length,
      updated,
      skipped: items.length - updated.length,
      hash: committed.state.hash,
    };
  }

  return (call: Call): Promise<EnrichAnswer> => repeats.answer(call, () => enrich(call));
}
