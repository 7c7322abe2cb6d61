import type { Call } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { putInTrash, takeFromTrash } from '#kernel/storage/trash.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { afterCopies, firstCopy } from '../pads/former-versions.ts';
import type { PadContext } from '../pads/pad-context.ts';
import { listTrashedPads } from '../pads/pad-trash-store.ts';
import type { Pads } from '../pads/pads.ts';
import { removePads, restoreTool } from '../pads/remove-pad.ts';
import { hashOfName, namesLock, namespaceTopic } from './enter-namespace.ts';
import {
  addPads,
  deleteNamespace,
  findNamespace,
  insertNamespace,
  listNamespaces,
  listPadIds,
  renameNamespace,
} from './namespace-store.ts';

export interface RenameInput {
  readonly old_namespace: string;
  readonly new_namespace: string;
  readonly migrate_scratchpads?: boolean | undefined;
}

export interface DeleteNamespaceInput {
  readonly namespace: string;
  readonly delete_scratchpads?: boolean | undefined;
}

/** Pads that were deleted together with their namespace. */
interface RemovedBatch {
  readonly namespace: string;
  readonly scratch_ids: readonly string[];
}

const listFix = 'scratch_namespace_list lists the namespaces.';

/** False if the id is taken or the copy is gone. */
async function restorePad(pads: Pick<Pads, 'restore'>, scratch_id: string, call: Call): Promise<boolean> {
  try {
    await pads.restore({ scratch_id }, call);
    return true;
  } catch (error) {
    const { CONFLICT, NOT_FOUND } = faults;
    if (error instanceof Fault && [CONFLICT, NOT_FOUND].some(({ kind }) => kind.code === error.code)) return false;
    throw error;
  }
}

export type Namespaces = ReturnType<typeof createNamespaces>;

export function createNamespaces({ storage, ids, documents }: PadContext) {
  function* rename(db: Writer, input: RenameInput): Work<number> {
    const { old_namespace, new_namespace, migrate_scratchpads = true } = input;
    yield* db.lock(namesLock);
    const old = yield* findNamespace(db, old_namespace);
    if (old === undefined) {
      throw faults.NOT_FOUND({ what: `namespace ${old_namespace}` }, { namespace: old_namespace, fix: listFix });
    }
    if ((yield* findNamespace(db, new_namespace)) !== undefined) {
      throw faults.VALIDATION_ERROR(
        { why: `A namespace ${new_namespace} already exists` },
        {
          namespace: new_namespace,
          fix: 'Choose another new_namespace; scratch_namespace_list lists those that exist.',
        },
      );
    }
    // Locks the row, because a concurrent write may add a pad.
    const locked = (yield* addPads(db, old_namespace, 0)) ?? old;
    if (migrate_scratchpads || locked.pads_count === 0) {
      yield* renameNamespace(db, old.namespace_key, new_namespace);
      yield* db.changed(namespaceTopic, old_namespace, 'delete', hashOfName(old_namespace));
    } else {
      yield* insertNamespace(db, { namespace_key: ids.uuid(), namespace: new_namespace, pads_count: 0 });
    }
    yield* db.changed(namespaceTopic, new_namespace, 'create', hashOfName(new_namespace));
    return migrate_scratchpads ? locked.pads_count : 0;
  }

  /** Deletes one batch of pads, and the namespace once it is empty. */
  function* deleteBatch(db: Writer, input: DeleteNamespaceInput, actor: string) {
    yield* db.lock(namesLock);
    const found = yield* addPads(db, input.namespace, 0);
    if (found === undefined) return { isDeleted: false, removed: [] };
    if (found.pads_count > 0 && input.delete_scratchpads !== true) {
      throw faults.VALIDATION_ERROR(
        {
          why: `The namespace ${input.namespace} holds ${found.pads_count} scratchpads; set delete_scratchpads to delete them too`,
        },
        {
          namespace: input.namespace,
          scratchpad_count: found.pads_count,
          fix: 'Send delete_scratchpads: true; scratch_restore can bring all of them back. scratch_namespace_rename keeps them.',
        },
      );
    }
    const pads = yield* listPadIds(db, found.namespace_key, notebookLimits.removePadsCount);
    const padIds = pads.map(({ scratch_id }) => scratch_id);
    const removed = yield* removePads(db, padIds, 'namespace', actor, documents);
    const isDeleted = (yield* deleteNamespace(db, found.namespace_key)) > 0;
    if (isDeleted) yield* db.changed(namespaceTopic, input.namespace, 'delete', hashOfName(input.namespace));
    if (isDeleted || removed.length > 0) yield* keepBatch(db, input.namespace, removed, actor);
    return { isDeleted, removed };
  }

  /** One copy for each batch of pads. */
  function* keepBatch(db: Writer, namespace: string, scratch_ids: readonly string[], actor: string): Work<void> {
    const batch: RemovedBatch = { namespace, scratch_ids };
    const id = `${firstCopy(hashOfName(namespace))}${ids.uuid()}`;
    yield* putInTrash(db, namespaceTopic, id, JSON.stringify(batch), actor);
  }

  /** The next removed batch of a namespace; registers the namespace. Undefined when none is left. */
  function* takeBatch(db: Writer, namespace: string): Work<RemovedBatch | null> {
    const id = hashOfName(namespace);
    const [copy] = yield* listTrashedPads(db, namespaceTopic, firstCopy(id), afterCopies(id), 1);
    if (copy === undefined) return null;
    yield* db.lock(namesLock);
    const batch = JSON.parse((yield* takeFromTrash(db, namespaceTopic, copy.id)).document) as RemovedBatch;
    const count = yield* insertNamespace(db, { namespace_key: ids.uuid(), namespace, pads_count: 0 });
    yield* db.changed(namespaceTopic, namespace, count > 0 ? 'create' : 'update', hashOfName(namespace));
    return batch;
  }

  return {
    /** One write per pad: a pad can have many cells. */
    async restore(namespace: string, pads: Pick<Pads, 'restore'>, call: Call) {
      const restored: string[] = [];
      const skipped: string[] = [];
      let batchesCount = 0;
      for (;;) {
        const batch = await storage.write(call, (db) => takeBatch(db, namespace));
        if (batch === null) break;
        batchesCount += 1;
        for (const scratch_id of batch.scratch_ids) {
          const isBack = await restorePad(pads, scratch_id, call);
          (isBack ? restored : skipped).push(scratch_id);
          call.progress(restored.length);
        }
      }
      if (batchesCount === 0) {
        throw faults.NOT_FOUND(
          { what: `namespace ${namespace} in the trash` },
          { namespace, fix: 'scratch_namespace_list lists the namespaces, scratch_namespace_create creates one.' },
        );
      }
      return {
        ok: true as const,
        namespace,
        restored_scratchpads: restored,
        ...(skipped.length > 0 && { skipped_scratchpads: skipped }),
      };
    },
    async list(call: Call) {
      const rows = await storage.read(call, (db) => listNamespaces(db, '', notebookLimits.listedCount + 1));
      const namespaces = rows
        .slice(0, notebookLimits.listedCount)
        .map(({ namespace, pads_count }) => ({ namespace, scratchpad_count: pads_count }));
      return { ok: true as const, namespaces, ...(rows.length > namespaces.length && { truncated: true as const }) };
    },
    async create(namespace: string, call: Call) {
      const created = await storage.write(call, function* (db) {
        yield* db.lock(namesLock);
        const count = yield* insertNamespace(db, { namespace_key: ids.uuid(), namespace, pads_count: 0 });
        if (count > 0) yield* db.changed(namespaceTopic, namespace, 'create', hashOfName(namespace));
        return count > 0;
      });
      return { ok: true as const, namespace, created };
    },
    rename: async (input: RenameInput, call: Call) => ({
      ok: true as const,
      namespace: input.new_namespace,
      migrated_count: await storage.write(call, (db) => rename(db, input)),
    }),
    async delete(input: DeleteNamespaceInput, call: Call) {
      const removed: string[] = [];
      for (;;) {
        const step = await storage.write(call, (db) => deleteBatch(db, input, call.actor));
        removed.push(...step.removed);
        call.progress(removed.length);
        const isOver = step.isDeleted || step.removed.length === 0;
        if (!isOver) continue;
        const isChanged = step.isDeleted || removed.length > 0;
        return {
          ok: true as const,
          deleted: step.isDeleted,
          removed_scratchpads: removed,
          ...(isChanged && { restore: { tool: restoreTool, arguments: { namespace: input.namespace } } }),
        };
      }
    },
  };
}
