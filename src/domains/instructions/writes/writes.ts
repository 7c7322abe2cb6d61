import type { Call } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import { createPacer } from '#kernel/clock/yield-to-event-loop.ts';
import type { EntryChange } from '../catalog/catalog.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { DiffInput } from '../reads/diff-catalog.ts';
import { completeEntry } from '../rules/complete-entry.ts';
import { canonicalise, sourceHashOf } from '../rules/derived-fields.ts';
import type { EnrichAnswer } from '../tools/instructions-enrich.ts';
import type { ReloadAnswer } from '../tools/instructions-reload.ts';
import { createAdd } from './add-entry.ts';
import { createListArchived, createRestore } from './archived-entries.ts';
import { changedIds, commitAll } from './commit-changes.ts';
import { createGroom } from './groom-catalog.ts';
import { createImport } from './import-entries.ts';
import { createRemove } from './remove-entries.ts';
import { hasStaleHash, readStoredEntries, type StoredEntry, withUnknownFields } from './stored-entries.ts';
import { createSync } from './sync-rules.ts';
import { createGovernanceUpdate } from './update-governance.ts';
import type { WritesDeps } from './writes-deps.ts';

async function rewrite(deps: WritesDeps, call: Call, action: string, changes: readonly EntryChange[]) {
  const planned = await deps.idempotency.savePlan(
    call,
    changes.map(({ id }) => id),
  );
  const committed = await commitAll(deps.catalog, call, changes);
  if (committed.done.length > 0) deps.onMutation?.(call, { action, ids: committed.done });
  return { planned, updated: changedIds(planned, committed), hash: committed.state.hash };
}

/** Only documents with a missing field are rewritten, not those that are merely formatted differently. */
function lacksFields({ kept: { entry }, stored, isUnchanged }: StoredEntry): boolean {
  if (isUnchanged) return false;
  return stored === undefined || Object.keys(entry).some((key) => stored[key] === undefined || stored[key] === null);
}

function createEnrich(deps: WritesDeps) {
  const { catalog, clock, canonicalOff, idempotency } = deps;

  async function enrich(call: Call): Promise<EnrichAnswer> {
    const state = await catalog.state(call);
    const items = await readStoredEntries(deps, call, state);
    const lacking = items.filter(lacksFields);
    const now = toIso(clock.now());
    const changes = lacking.map((item): EntryChange => {
      const { entry, etag, recordedHash } = item.kept;
      // Filling in fields is not an edit: dates stay, and a wrong hash too, so that the integrity check finds it.
      const completed = completeEntry(withUnknownFields(item), { now, canonicalOff });
      return { id: entry.id, before: etag, after: { ...completed, sourceHash: recordedHash ?? completed.sourceHash } };
    });
    const { planned, updated, hash } = await rewrite(deps, call, 'enrich', changes);
    return {
      enriched: planned.length,
      rewritten: updated.length,
      updated,
      skipped: items.length - updated.length,
      hash,
    };
  }

  return (call: Call): Promise<EnrichAnswer> => idempotency.answerOnce(call, () => enrich(call));
}

interface RepairAnswer {
  readonly repaired: number;
  readonly updated: readonly string[];
  readonly hash: string;
}

function createRepair(deps: WritesDeps) {
  const { catalog, clock, canonicalOff, idempotency } = deps;

  async function findWrong(call: Call, items: readonly StoredEntry[]): Promise<readonly StoredEntry[]> {
    const wrong: StoredEntry[] = [];
    const pace = createPacer(instructionLimits.writeTurnMs, call.signal);
    for (const item of items) {
      await pace();
      const { body, sourceHash } = item.kept.entry;
      if (hasStaleHash(item) || sourceHashOf(canonicalise(body, canonicalOff)) !== sourceHash) wrong.push(item);
    }
    return wrong;
  }

  /** Corrects hashes that do not match the stored text; the text is the authority. */
  async function repairHashes(call: Call): Promise<RepairAnswer> {
    const wrong = await findWrong(call, await readStoredEntries(deps, call, await catalog.state(call)));
    const now = toIso(clock.now());
    const changes = wrong.map((item): EntryChange => {
      const { entry, etag } = item.kept;
      const after = completeEntry(withUnknownFields(item), { now, canonicalOff, existing: entry });
      return { id: entry.id, before: etag, after };
    });
    const { updated, hash } = await rewrite(deps, call, 'repair', changes);
    return { repaired: updated.length, updated, hash };
  }

  /** With `clientHash` or `known` it returns the answer of `diff`. */
  return async (call: Call, input: DiffInput): Promise<RepairAnswer | object> =>
    input.clientHash !== undefined || input.known !== undefined
      ? deps.diff(call, input)
      : idempotency.answerOnce(call, () => repairHashes(call));
}

export type Writes = ReturnType<typeof createWrites>;

export const createWrites = (deps: WritesDeps) => ({
  add: createAdd(deps),
  import: createImport(deps),
  remove: createRemove(deps),
  restore: createRestore(deps),
  listArchived: createListArchived(deps),
  async reload(call: Call): Promise<ReloadAnswer> {
    const { hash, count } = await deps.catalog.reload(call);
    return { reloaded: true, hash, count };
  },
  groom: createGroom(deps),
  repair: createRepair(deps),
  enrich: createEnrich(deps),
  governanceUpdate: createGovernanceUpdate(deps),
  sync: createSync(deps),
});
