import type { Call } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import type { Catalog, CatalogState, EntryChange } from '../catalog/catalog.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { withoutKey } from './idempotency.ts';

interface FailedChange {
  readonly id: string;
  readonly fault: Fault;
}

interface CommitResult {
  readonly state: CatalogState;
  readonly done: readonly string[];
  readonly failed: readonly FailedChange[];
}

/** Faults of one entry; anything else concerns the store and ends the call. */
const entryFaults: ReadonlySet<string> = new Set(['CONFLICT', 'VALIDATION_ERROR', 'RESOURCE_LIMIT']);

const isEntryFault = (error: unknown): error is Fault => error instanceof Fault && entryFaults.has(error.code);

/** One entry that moved, or that cannot be stored, does not hold up the others: the batch is tried again one by one. */
export async function commitBatch(
  catalog: Catalog,
  keyed: Call,
  changes: readonly EntryChange[],
): Promise<CommitResult> {
  // A repeated request finds some of its changes made, so that its commits are others than the first time: no key is theirs.
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

/** In batches that are durable one by one, with progress; a call that was cancelled stops between two of them. */
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
 * Which of the entries that were to be changed were: all but those that failed now. One that there was nothing left to do
 * for was changed by an earlier attempt of the same request.
 */
export function changedIds(settled: readonly string[], { failed }: Pick<CommitResult, 'failed'>): readonly string[] {
  const isFailed = new Set(failed.map(({ id }) => id));
  return settled.filter((id) => !isFailed.has(id));
}
