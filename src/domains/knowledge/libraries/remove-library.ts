import { type Call, type TenantId, withoutKey } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { PeriodicJob } from '#kernel/jobs/jobs.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { forEachTenant } from '#kernel/jobs/tenants.ts';
import { limits } from '#kernel/limits.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { putInTrash } from '#kernel/storage/trash.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import { sectionId } from '../search/collection.ts';
import type { RemoveAnswer, RemoveInput } from '../tools/knowledge-remove.ts';
import type { LibraryContext } from './library-documents.ts';
import { deleteLibrary, findLibrary, findVersions, type LibraryRow, listPages, lockLibrary } from './library-store.ts';
import {
  deleteAllPages,
  deleteRemoval,
  deleteSomeSections,
  findOldRemoval,
  insertRemoval,
  listAnchorsBetween,
  listIndexedRemovals,
  type RemovalRow,
  setIndexed,
} from './library-trash-store.ts';
import { formatLibraryVersion, type LibraryVersion } from './library-version.ts';
import { libraryTopic } from './write-pages.ts';

const dayMs = 86_400_000;

type RemovedLibrary = RemoveAnswer['removed'][number];

/** Moves the row to the trash; the sweep later deletes its pages. Returns undefined if the library does not exist. */
export function* moveToTrash(db: Writer, target: LibraryVersion, actor: string): Work<LibraryRow | undefined> {
  const row = yield* deleteLibrary(db, target);
  if (row === undefined) return undefined;
  yield* putInTrash(db, libraryTopic, formatLibraryVersion(row), JSON.stringify(row), actor);
  yield* insertRemoval(db, row, row.library_key, 1);
  return row;
}

/**
 * Removing the row hides the library in one write. Its documents then leave the index in batches, and its pages are
 * deleted when it can no longer be restored.
 */
export function createRemoval({ storage, documents }: LibraryContext) {
  const removeOne = (target: LibraryVersion, call: Call): Promise<(RemovedLibrary & RemovalRow) | undefined> =>
    storage.write(withoutKey(call), function* (db) {
      yield* lockLibrary(db, target);
      const row = yield* moveToTrash(db, target, call.actor);
      if (row === undefined) return undefined;
      yield* db.changed(libraryTopic, formatLibraryVersion(row), 'delete', row.hash);
      const { library, version, library_key, pages_count: pages, sections_count: sections } = row;
      return { library, version, library_key, pages, sections, is_indexed: 1, removed_at: db.now };
    });

  /**
   * Removes the documents of one batch of pages, except those that a new library with the same name and version has.
   */
  const dropSome = (removal: RemovalRow, after: string, call: Call): Promise<string | undefined> =>
    storage.write({ ...withoutKey(call), audit: 'none' }, function* (db) {
      yield* lockLibrary(db, removal);
      const pages = yield* listPages(db, removal.library_key, after, knowledgeLimits.indexBatchPagesCount, 'ignore');
      const first = pages[0];
      const last = pages.at(-1);
      if (first === undefined || last === undefined) {
        yield* setIndexed(db, removal.library_key, 0);
        return undefined;
      }
      const toId = ({ path, anchor }: { readonly path: string; readonly anchor: string }): string =>
        sectionId(removal.library, removal.version, path, anchor);
      const live = yield* findLibrary(db, removal);
      const kept = live === undefined ? [] : yield* listAnchorsBetween(db, live.library_key, first.path, last.path);
      const keptIds = new Set(kept.map(toId));
      const gone = yield* listAnchorsBetween(db, removal.library_key, first.path, last.path);
      yield* documents.remove(
        db,
        gone.map(toId).filter((id) => !keptIds.has(id)),
      );
      return last.path;
    });

  async function dropDocuments(removal: RemovalRow, call: Call): Promise<void> {
    for (let after: string | undefined = ''; after !== undefined; ) after = await dropSome(removal, after, call);
  }

  /** Deletes one batch; false if nothing is left. */
  const purgeSome = (call: Call): Promise<boolean> =>
    storage.write(call, function* (db) {
      const oldest = yield* findOldRemoval(db, db.now - limits.trashDays * dayMs);
      if (oldest === undefined) return false;
      const count = yield* deleteSomeSections(db, oldest.library_key, knowledgeLimits.purgeSectionsCount);
      if (count === knowledgeLimits.purgeSectionsCount) return true;
      yield* deleteAllPages(db, oldest.library_key);
      yield* deleteRemoval(db, oldest.library_key);
      return true;
    });

  /** Finishes removals that a killed process left in the index, then deletes old ones. */
  async function sweep(tenant: TenantId, signal: AbortSignal): Promise<void> {
    const call = (): Call => systemCall('jobs/knowledge-sweep', { tenant, signal });
    const left = await storage.read(call(), (db) => listIndexedRemovals(db));
    for (const removal of left) await dropDocuments(removal, call());
    while (!signal.aborted && (await purgeSome(call())));
  }

  return {
    async remove({ library, version, confirm = false }: RemoveInput, call: Call): Promise<RemoveAnswer> {
      const there = await storage.read(call, (db) => findVersions(db, library));
      const chosen = there.filter((row) => version === undefined || row.version === version);
      if (chosen.length === 0) {
        const what = version === undefined ? library : formatLibraryVersion({ library, version });
        throw faults.NOT_FOUND({ what }, { fix: 'knowledge_list lists the libraries with their versions.' });
      }
      if (chosen.length > 1 && !confirm) {
        const versions = chosen.map((row) => row.version).join(', ');
        const why = `${library} has ${chosen.length} versions (${versions}): name one, or set confirm to remove all`;
        throw faults.VALIDATION_ERROR({ why }, { field: 'confirm' });
      }
      const removed: RemovedLibrary[] = [];
      for (const target of chosen) {
        const gone = await removeOne(target, call);
        if (gone === undefined) continue;
        removed.push({ library, version: gone.version, pages: gone.pages, sections: gone.sections });
        await dropDocuments(gone, call).catch((error: unknown) => {
          // The library is removed and hidden; the sweep drops the rest of its documents.
          if (!(error instanceof Fault)) throw error;
        });
      }
      return { library, removed };
    },
    dropDocuments,
    jobs: (tenants: () => Promise<readonly TenantId[]>): readonly PeriodicJob[] => [
      {
        name: 'knowledge-sweep',
        everyMs: knowledgeLimits.purgeEveryMs,
        run: forEachTenant(tenants, sweep),
      },
    ],
  };
}
