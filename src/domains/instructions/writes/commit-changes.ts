import { type Call, withoutKey } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import type { Catalog, CatalogState, EntryChange } from '../catalog/catalog.ts';
import { instructionLimits } from '../instruction-limits.ts';

interface FailedChange {
  readonly id: string;
  readonly fault: Fault;
}

interface CommitResult {
  readonly state: CatalogState;
  readonly done: readonly string[];
  readonly failed: readonly FailedChange[];
}

/** Faults of a single entry; all others end the call. */
const entryFaults: ReadonlySet<string> = new Set(['CONFLICT', 'VALIDATION_ERROR', 'RESOURCE_LIMIT']);

const isEntryFault = (error: unknown): error is Fault => error instanceof Fault && entryFaults.has(error.code);

/** If one entry of the batch fails, commits the others one by one. */
export async function commitBatch(
  catalog: Catalog,
  keyed: Call,
  changes: readonly EntryChange[],
): Promise<CommitResult> {
  // Without the key: a repeated request finds some changes made, so its commits differ from those of the first attempt.
  const call = withoutKey(keyed);
  try {
    return { state: await catalog.commit(call, changes), done: changes.map(({ id }) => id), failed: [] };
  } catch (error) {
    if (!isEntryFault(error)) throw error;
  }
  const done: string[] = [];
  const failed: FailedChange[] = [];
  for (const change of changes) {
    try {
      await catalog.commit(call, [change]);
      done.push(change.id);
    } catch (error) {
      if (!isEntryFault(error)) throw error;
      failed.push({ id: change.id, fault: error });
    }
  }
  return { state: await catalog.state(call), done, failed };
}

/** Commits in durable batches with progress; a cancelled call stops between two of them. */
export async function commitAll(catalog: Catalog, call: Call, changes: readonly EntryChange[]): Promise<CommitResult> {
  const done: string[] = [];
  const failed: FailedChange[] = [];
  let state: CatalogState | undefined;
  for (let at = 0; at < changes.length; at += instructionLimits.importBatchCount) {
    call.signal.throwIfAborted();
    const batch = await commitBatch(catalog, call, changes.slice(at, at + instructionLimits.importBatchCount));
    done.push(...batch.done);
    failed.push(...batch.failed);
    state = batch.state;
    call.progress(Math.min(at + instructionLimits.importBatchCount, changes.length), changes.length);
  }
  return { state: state ?? (await catalog.state(call)), done, failed };
}

/**
 * The planned changes except those that failed now. An earlier attempt of the same request may have made some of them.
 */
export function changedIds(settled: readonly string[], { failed }: Pick<CommitResult, 'failed'>): readonly string[] {
  const isFailed = new Set(failed.map(({ id }) => id));
  return settled.filter((id) => !isFailed.has(id));
}
