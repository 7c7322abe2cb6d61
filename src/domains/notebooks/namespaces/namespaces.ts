import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { notebookLimits } from '../notebook-limits.ts';
import type { PadContext } from '../pads/pad-context.ts';
import { removePads } from '../pads/remove-pad.ts';
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

export type Namespaces = ReturnType<typeof createNamespaces>;

export function createNamespaces({ storage, ids, documents }: PadContext) {
  function* rename(db: Writer, input: RenameInput): Work<number> {
    const { old_namespace, new_namespace, migrate_scratchpads = true } = input;
    yield* db.lock(namesLock);
    const old = yield* findNamespace(db, old_namespace);
    if (old === undefined) {
      throw faults.NOT_FOUND({ what: `namespace ${old_namespace}` }, { namespace: old_namespace });
    }
    if ((yield* findNamespace(db, new_namespace)) !== undefined) {
      throw faults.VALIDATION_ERROR(
        { why: `A namespace ${new_namespace} already exists` },
        { namespace: new_namespace },
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
        { namespace: input.namespace, scratchpad_count: found.pads_count },
      );
    }
    const pads = yield* listPadIds(db, found.namespace_key, notebookLimits.removePadsCount);
    const padIds = pads.map(({ scratch_id }) => scratch_id);
    const removed = yield* removePads(db, padIds, 'namespace', actor, documents);
    const isDeleted = (yield* deleteNamespace(db, found.namespace_key)) > 0;
    if (isDeleted) yield* db.changed(namespaceTopic, input.namespace, 'delete', hashOfName(input.namespace));
    return { isDeleted, removed };
  }

  return {
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
        if (isOver) return { ok: true as const, deleted: step.isDeleted, removed_scratchpads: removed };
      }
    },
  };
}
