import { type Call, forStaging, withoutKey } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { newestTrash, takeFromTrash } from '#kernel/storage/trash.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import { type LibraryContext, toSectionDocument } from './library-documents.ts';
import { findLibrary, findSections, insertLibrary, type LibraryRow, listPages, lockLibrary } from './library-store.ts';
import { deleteRemoval, setIndexed } from './library-trash-store.ts';
import { formatLibraryVersion, type LibraryVersion } from './library-version.ts';
import { libraryTopic } from './write-pages.ts';

const parseRow = (document: string): LibraryRow => JSON.parse(document) as LibraryRow;

/** Writes the documents first, while search still hides them, and then the row in one write. */
export function createRestore({ storage, documents }: LibraryContext) {
  function* expectFree(db: Writer, target: LibraryVersion): Work<void> {
    yield* lockLibrary(db, target);
    if ((yield* findLibrary(db, target)) !== undefined) {
      throw faults.CONFLICT({
        why: `${formatLibraryVersion(target)} exists; remove it before restoring an older copy`,
      });
    }
  }

  const findCopy = (target: LibraryVersion, call: Call): Promise<LibraryRow> =>
    storage.read(call, function* (db) {
      const copy = yield* newestTrash(db, libraryTopic, formatLibraryVersion(target));
      const row = copy === undefined ? undefined : parseRow(copy.document);
      // Already swept, or imported: an export may hold a removed library without its pages.
      if (row === undefined || (yield* listPages(db, row.library_key, '', 1)).length === 0) {
        throw faults.NOT_FOUND({ what: `${formatLibraryVersion(target)} in the trash` });
      }
      return row;
    });

  /** Returns the last page of the batch, or undefined at the end. */
  const putSome = (row: LibraryRow, after: string, call: Call): Promise<string | undefined> =>
    storage.write(forStaging(call), function* (db) {
      yield* expectFree(db, row);
      yield* setIndexed(db, row.library_key, 1);
      const pages = yield* listPages(db, row.library_key, after, knowledgeLimits.indexBatchPagesCount);
      const byPath = new Map(pages.map((page) => [page.path, page]));
      const sections = pages.length === 0 ? [] : yield* findSections(db, row.library_key, [...byPath.keys()]);
      yield* documents.put(
        db,
        sections.map((section) => toSectionDocument(row, byPath.get(section.path)!, section)),
      );
      return pages.at(-1)?.path;
    });

  return {
    async restore(target: LibraryVersion, call: Call): Promise<LibraryRow> {
      const row = await findCopy(target, call);
      for (let after: string | undefined = ''; after !== undefined; ) after = await putSome(row, after, call);
      return storage.write(withoutKey(call), function* (db) {
        yield* expectFree(db, row);
        const copy = yield* takeFromTrash(db, libraryTopic, formatLibraryVersion(row));
        if (parseRow(copy.document).library_key !== row.library_key) {
          throw faults.CONFLICT({
            why: `${formatLibraryVersion(row)} was removed or restored by another process meanwhile`,
          });
        }
        yield* deleteRemoval(db, row.library_key);
        const restored = { ...row, updated_at: db.now };
        yield* insertLibrary(db, restored);
        yield* db.changed(libraryTopic, formatLibraryVersion(row), 'create', row.hash);
        return restored;
      });
    },
  };
}
