import { type Call, withoutKey } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { newestTrash, takeFromTrash } from '#kernel/storage/trash.ts';
import { knowledgeLimits } from '../../knowledge-limits.ts';
import { toSectionDocument } from '../documents.ts';
import type { LibraryParts } from '../libraries-deps.ts';
import { type Edition, toEditionText } from '../library-names.ts';
import { findLibrary, findSections, insertLibrary, type LibraryRow, listPages, lockEdition } from '../library-store.ts';
import { libraryTopic } from '../write-pages.ts';
import { deleteRemoval, setIndexed } from './library-trash-store.ts';

const parseRow = (document: string): LibraryRow => JSON.parse(document) as LibraryRow;

/** Brings a removed library back: its documents first, where nobody is shown them, and then, in one write, its row. */
export function createRestore({ storage, documents }: LibraryParts) {
  function* expectFree(db: Writer, edition: Edition): Work<void> {
    yield* lockEdition(db, edition);
    if ((yield* findLibrary(db, edition)) !== undefined) {
      throw faults.CONFLICT({ why: `${toEditionText(edition)} is there; remove it before an older one comes back` });
    }
  }

  const findCopy = (edition: Edition, call: Call): Promise<LibraryRow> =>
    storage.read(call, function* (db) {
      const copy = yield* newestTrash(db, libraryTopic, toEditionText(edition));
      const row = copy === undefined ? undefined : parseRow(copy.document);
      // Swept, or never there: an export may hold a removed library without what was in it.
      if (row === undefined || (yield* listPages(db, row.library_key, '', 1)).length === 0) {
        throw faults.NOT_FOUND({ what: `${toEditionText(edition)} in the trash` });
      }
      return row;
    });

  /** Answers behind which page it goes on; undefined at the end. */
  const putSome = (row: LibraryRow, after: string, call: Call): Promise<string | undefined> =>
    storage.write({ ...withoutKey(call), audit: 'none' }, function* (db) {
      yield* expectFree(db, row);
      yield* setIndexed(db, row.library_key, 1);
      const pages = yield* listPages(db, row.library_key, after, knowledgeLimits.movedPagesCount);
      const byPath = new Map(pages.map((page) => [page.path, page]));
      const sections = pages.length === 0 ? [] : yield* findSections(db, row.library_key, [...byPath.keys()]);
      yield* documents.put(
        db,
        sections.map((section) => toSectionDocument(row, byPath.get(section.path)!, section)),
      );
      return pages.at(-1)?.path;
    });

  return {
    async restore(edition: Edition, call: Call): Promise<LibraryRow> {
      const row = await findCopy(edition, call);
      for (let after: string | undefined = ''; after !== undefined; ) after = await putSome(row, after, call);
      return storage.write(withoutKey(call), function* (db) {
        yield* expectFree(db, row);
        const copy = yield* takeFromTrash(db, libraryTopic, toEditionText(row));
        if (parseRow(copy.document).library_key !== row.library_key) {
          throw faults.CONFLICT({ why: `${toEditionText(row)} was removed or restored by somebody else meanwhile` });
        }
        yield* deleteRemoval(db, row.library_key);
        const restored = { ...row, updated_at: db.now };
        yield* insertLibrary(db, restored);
        yield* db.changed(libraryTopic, toEditionText(row), 'create', row.hash);
        return restored;
      });
    },
  };
}
