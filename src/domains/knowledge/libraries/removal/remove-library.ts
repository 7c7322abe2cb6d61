import { type Call, type TenantId, withoutKey } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { PeriodicJob } from '#kernel/jobs/jobs.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { limits } from '#kernel/limits.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { putInTrash } from '#kernel/storage/trash.ts';
import { knowledgeLimits } from '../../knowledge-limits.ts';
import { sectionId } from '../../search/collection.ts';
import type { LibraryParts } from '../libraries-deps.ts';
import { type Edition, toEditionText } from '../library-names.ts';
import { deleteLibrary, findLibrary, findVersions, type LibraryRow, listPages, lockEdition } from '../library-store.ts';
import { libraryTopic } from '../write-pages.ts';
import {
  deleteAllPages,
  deleteRemoval,
  deleteSomeSections,
  findOldRemoval,
  insertRemoval,
  listIndexed,
  listPlaces,
  type RemovalRow,
  setIndexed,
} from './library-trash-store.ts';

const dayMs = 86_400_000;

export interface RemoveInput {
  readonly library: string;
  /** Undefined: all of them. */
  readonly version?: string | undefined;
  readonly confirm?: boolean | undefined;
}

export interface RemovedEdition extends Edition {
  readonly pages: number;
  readonly sections: number;
}

export interface RemoveAnswer {
  readonly library: string;
  readonly removed: readonly RemovedEdition[];
}

/** The row goes to the trash, and what hangs on it waits for the sweep. Answers the row; undefined when there is none. */
export function* clearLibrary(db: Writer, edition: Edition, actor: string): Work<LibraryRow | undefined> {
  const row = yield* deleteLibrary(db, edition);
  if (row === undefined) return undefined;
  yield* putInTrash(db, libraryTopic, toEditionText(row), JSON.stringify(row), actor);
  yield* insertRemoval(db, row, row.library_key, 1);
  return row;
}

/**
 * A library goes with its row, in one write: nobody is shown what is in one that is not there. Its documents leave the
 * index behind it, some at a time, and its pages when it can no longer come back.
 */
export function createRemoval({ storage, documents }: LibraryParts) {
  /** One write; answers what was removed. */
  const removeOne = (edition: Edition, call: Call): Promise<(RemovedEdition & RemovalRow) | undefined> =>
    storage.write(withoutKey(call), function* (db) {
      yield* lockEdition(db, edition);
      const row = yield* clearLibrary(db, edition, call.actor);
      if (row === undefined) return undefined;
      yield* db.changed(libraryTopic, toEditionText(row), 'delete', row.hash);
      const { library, version, library_key, pages_count: pages, sections_count: sections } = row;
      return { library, version, library_key, pages, sections, is_indexed: 1, removed_at: db.now };
    });

  /** The documents of some pages leave the index, but for those that a library of the same name has now. */
  const dropSome = (removal: RemovalRow, after: string, call: Call): Promise<string | undefined> =>
    storage.write({ ...withoutKey(call), audit: 'none' }, function* (db) {
      yield* lockEdition(db, removal);
      const pages = yield* listPages(db, removal.library_key, after, knowledgeLimits.movedPagesCount);
      const first = pages[0];
      const last = pages.at(-1);
      if (first === undefined || last === undefined) {
        yield* setIndexed(db, removal.library_key, 0);
        return undefined;
      }
      const toId = ({ path, anchor }: { readonly path: string; readonly anchor: string }): string =>
        sectionId(removal.library, removal.version, path, anchor);
      const live = yield* findLibrary(db, removal);
      const kept = live === undefined ? [] : yield* listPlaces(db, live.library_key, first.path, last.path);
      const keptIds = new Set(kept.map(toId));
      const gone = yield* listPlaces(db, removal.library_key, first.path, last.path);
      yield* documents.drop(
        db,
        gone.map(toId).filter((id) => !keptIds.has(id)),
      );
      return last.path;
    });

  async function dropDocuments(removal: RemovalRow, call: Call): Promise<void> {
    for (let after: string | undefined = ''; after !== undefined; ) after = await dropSome(removal, after, call);
  }

  /** One write's worth of what can no longer come back; false when nothing is left. */
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

  /** What a killed process left in the index, then what is too old. */
  async function sweep(tenant: TenantId, signal: AbortSignal): Promise<void> {
    const call = (): Call => systemCall('jobs/knowledge-sweep', { tenant, signal });
    const left = await storage.read(call(), function* (db) {
      return yield* listIndexed(db);
    });
    for (const removal of left) await dropDocuments(removal, call());
    while (!signal.aborted && (await purgeSome(call())));
  }

  return {
    async remove({ library, version, confirm = false }: RemoveInput, call: Call): Promise<RemoveAnswer> {
      const there = await storage.read(call, function* (db) {
        return yield* findVersions(db, library);
      });
      const chosen = there.filter((row) => version === undefined || row.version === version);
      if (chosen.length === 0) {
        throw faults.NOT_FOUND({ what: version === undefined ? library : toEditionText({ library, version }) });
      }
      if (chosen.length > 1 && !confirm) {
        const versions = chosen.map((row) => row.version).join(', ');
        const why = `${library} has ${chosen.length} versions (${versions}): name one, or set confirm to remove all`;
        throw faults.VALIDATION_ERROR({ why }, { field: 'confirm' });
      }
      const removed: RemovedEdition[] = [];
      for (const edition of chosen) {
        const gone = await removeOne(edition, call);
        if (gone === undefined) continue;
        removed.push({ library, version: gone.version, pages: gone.pages, sections: gone.sections });
        await dropDocuments(gone, call);
      }
      return { library, removed };
    },
    dropDocuments,
    jobs: (tenants: () => Promise<readonly TenantId[]>): readonly PeriodicJob[] => [
      {
        name: 'knowledge-sweep',
        everyMs: knowledgeLimits.purgeEveryMs,
        async run(signal) {
          for (const tenant of await tenants()) {
            if (signal.aborted) return;
            await sweep(tenant, signal);
          }
        },
      },
    ],
  };
}
