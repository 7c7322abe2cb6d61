import { z } from 'zod';
import { type Call, forStaging, type TenantId, withoutKey } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { limits } from '#kernel/limits.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { newestTrash, takeFromTrash } from '#kernel/storage/trash.ts';
import { fitPage } from '#kernel/text/budget.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import { knowledgeDocuments } from '../search/collection.ts';
import type { LibraryListAnswer, LibraryListInput } from '../tools/knowledge-list.ts';
import {
  createSectionDocuments,
  type LibrariesDeps,
  type LibraryContext,
  provideDocuments,
  toSectionDocument,
} from './library-documents.ts';
import {
  findLibrary,
  findSections,
  findVersions,
  insertLibrary,
  type LibraryRow,
  listLibraries,
  listPages,
  lockLibrary,
} from './library-store.ts';
import { deleteRemoval, setIndexed } from './library-trash-store.ts';
import { formatLibraryVersion, type LibraryVersion } from './library-version.ts';
import { createRemoval } from './remove-library.ts';
import { createPageWriter, libraryTopic } from './write-pages.ts';

const parseRow = (document: string): LibraryRow => JSON.parse(document) as LibraryRow;

/** Writes the documents first, while search still hides them, and then the row in one write. */
function createRestore({ storage, documents }: LibraryContext) {
  function* expectFree(db: Writer, target: LibraryVersion): Work<void> {
    yield* lockLibrary(db, target);
    if ((yield* findLibrary(db, target)) !== undefined) {
      throw faults.CONFLICT(
        { why: `${formatLibraryVersion(target)} exists; remove it before restoring an older copy` },
        { fix: 'Remove the present one with knowledge_remove, then call knowledge_restore again.' },
      );
    }
  }

  const findCopy = (target: LibraryVersion, call: Call): Promise<LibraryRow> =>
    storage.read(call, function* (db) {
      const copy = yield* newestTrash(db, libraryTopic, formatLibraryVersion(target));
      const row = copy === undefined ? undefined : parseRow(copy.document);
      // Already swept, or imported: an export may hold a removed library without its pages.
      if (row === undefined || (yield* listPages(db, row.library_key, '', 1, 'ignore')).length === 0) {
        const fix = `knowledge_list shows the libraries that are there; a removed one is kept for ${limits.trashDays} days, then knowledge_ingest reads it again.`;
        throw faults.NOT_FOUND({ what: `${formatLibraryVersion(target)} in the trash` }, { fix });
      }
      return row;
    });

  /** Returns the last page of the batch, or undefined at the end. */
  const putSome = (row: LibraryRow, after: string, call: Call): Promise<string | undefined> =>
    storage.write(forStaging(call), function* (db) {
      yield* expectFree(db, row);
      yield* setIndexed(db, row.library_key, 1);
      const pages = yield* listPages(db, row.library_key, after, knowledgeLimits.indexBatchPagesCount, 'ignore');
      const byPath = new Map(pages.map((page) => [page.path, page]));
      const sections = pages.length === 0 ? [] : yield* findSections(db, row.library_key, [...byPath.keys()], 'skip');
      yield* documents.put(
        db,
        sections.map((section) => toSectionDocument(row, byPath.get(section.path)!, section)),
      );
      return pages.at(-1)?.path;
    });

  return async (target: LibraryVersion, call: Call): Promise<LibraryRow> => {
    const row = await findCopy(target, call);
    for (let after: string | undefined = ''; after !== undefined; ) after = await putSome(row, after, call);
    return storage.write(withoutKey(call), function* (db) {
      yield* expectFree(db, row);
      const copy = yield* takeFromTrash(db, libraryTopic, formatLibraryVersion(row));
      if (parseRow(copy.document).library_key !== row.library_key) {
        throw faults.CONFLICT(
          { why: `${formatLibraryVersion(row)} was removed or restored by another process meanwhile` },
          { fix: 'See whether it is there with knowledge_list; if not, call knowledge_restore again.' },
        );
      }
      yield* deleteRemoval(db, row.library_key);
      const restored = { ...row, updated_at: db.now };
      yield* insertLibrary(db, restored);
      yield* db.changed(libraryTopic, formatLibraryVersion(row), 'create', row.hash);
      return restored;
    });
  };
}

type LibrarySummary = LibraryListAnswer['libraries'][number];

const toLibrarySummary = (row: LibraryRow): LibrarySummary => ({
  library: row.library,
  version: row.version,
  pages: row.pages_count,
  sections: row.sections_count,
  source: row.source,
  source_kind: row.source_kind,
  complete: row.hash !== '',
  created_at: toIso(row.created_at),
  updated_at: toIso(row.updated_at),
});

const listTool = 'knowledge_list';
const place = z.tuple([z.string(), z.string()]);

/** Space for the brackets around the list and the cursor. */
const marginBytes = 512;

function createLibraryList({ storage, cursors }: LibraryContext) {
  function openCursor(call: Call, cursor: string | undefined): LibraryVersion {
    if (cursor === undefined) return { library: '', version: '' };
    const opened = place.safeParse(cursors.open(listTool, call.tenant, cursor));
    if (!opened.success)
      throw faults.INVALID_PARAMS({ why: 'the cursor belongs to another list' }, { field: 'cursor' });
    return { library: opened.data[0], version: opened.data[1] };
  }

  return async ({ library, limit, cursor }: LibraryListInput, call: Call): Promise<LibraryListAnswer> => {
    const after = openCursor(call, cursor);
    const rows = await storage.read(call, function* (db) {
      if (library === undefined) return yield* listLibraries(db, after, limit + 1);
      const versions = yield* findVersions(db, library);
      return versions.filter(({ version }) => cursor === undefined || version > after.version).slice(0, limit + 1);
    });
    const libraries = fitPage(rows.slice(0, limit).map(toLibrarySummary), limits.pageBytes - marginBytes).items;
    const last = libraries.at(-1);
    if (last === undefined || libraries.length === rows.length) return { libraries };
    return { libraries, next_cursor: cursors.seal(listTool, call.tenant, [last.library, last.version]) };
  };
}

export type Libraries = ReturnType<typeof createLibraries>;

export function createLibraries(deps: LibrariesDeps) {
  const parts = { ...deps, documents: createSectionDocuments(deps) };
  provideDocuments(deps);
  const { remove, jobs } = createRemoval(parts);
  const restore = createRestore(parts);
  return {
    list: createLibraryList(parts),
    remove,
    /** Restores the newest removed copy. It has no tool: only operators use the trash. */
    restore: async (target: LibraryVersion, call: Call) => toLibrarySummary(await restore(target, call)),
    pages: createPageWriter(parts),
    /** Merges the index after an ingest by a short-lived process, so that the next process can open it quickly. */
    async mergeIndex(tenant: TenantId, changedCount: number) {
      if (changedCount >= knowledgeLimits.mergePagesCount) await deps.search.maintain(tenant, knowledgeDocuments, true);
    },
    jobs,
  };
}
