import { type Call, withoutKey } from '#kernel/call.ts';
import { createPacer } from '#kernel/clock/yield-to-event-loop.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import { type KnowledgeDocument, sectionId } from '../search/collection.ts';
import { type LibraryContext, toSectionDocument } from './library-documents.ts';
import {
  changeCounts,
  deletePages,
  deleteSections,
  findLibrary,
  findPages,
  finishLibrary,
  insertLibrary,
  insertSections,
  type LibraryRow,
  listHashes,
  lockLibrary,
  type PageRow,
  putPages,
  type SectionRow,
} from './library-store.ts';
import { formatLibraryVersion, type LibraryVersion } from './library-version.ts';

export const libraryTopic = 'library';

export interface LibrarySource {
  readonly kind: 'folder' | 'file' | 'package' | 'llms' | 'zip' | 'pages';
  readonly name: string;
}

export interface NewSection {
  readonly anchor: string;
  readonly level: number;
  readonly title: string;
  readonly breadcrumb: readonly string[];
  readonly text: string;
}

export interface NewPage {
  readonly path: string;
  readonly title: string;
  readonly category: string;
  readonly url?: string | undefined;
  readonly hash: string;
  readonly sections: readonly NewSection[];
}

const toPageRow = (page: NewPage): PageRow => ({
  path: page.path,
  title: page.title,
  category: page.category,
  url: page.url ?? null,
  hash: page.hash,
  sections_count: page.sections.length,
});

const toSectionRows = ({ path, sections }: NewPage): readonly SectionRow[] =>
  sections.map(({ anchor, level, title, breadcrumb, text }, position) => ({
    ...{ path, position, anchor, level, title },
    breadcrumb: JSON.stringify(breadcrumb),
    body: text,
  }));

const hashOfLibrary = (pages: readonly Pick<PageRow, 'path' | 'hash'>[]): string =>
  sha256Hex(pages.map(({ path, hash }) => `${path}\n${hash}\n`).join(''));

export function createPageWriter({ storage, ids, documents }: LibraryContext) {
  function* expectLibrary(db: Writer, target: LibraryVersion, source: LibrarySource, newKey: string): Work<LibraryRow> {
    const found = yield* findLibrary(db, target);
    if (found !== undefined) return found;
    const row: LibraryRow = {
      ...target,
      ...{ library_key: newKey, source_kind: source.kind, source: source.name },
      ...{ pages_count: 0, sections_count: 0, hash: '', created_at: db.now, updated_at: db.now },
    };
    yield* insertLibrary(db, row);
    return row;
  }

  function* clear(db: Writer, { library, version, library_key }: LibraryRow, paths: readonly string[]) {
    const there = yield* findPages(db, library_key, paths, 'ignore');
    const gone = there.length === 0 ? [] : yield* deleteSections(db, library_key, paths);
    return {
      pagesCount: there.length,
      ids: gone.map(({ path, anchor }) => sectionId(library, version, path, anchor)),
    };
  }

  function* isWhole(db: Writer, libraryKey: string, pages: readonly Pick<PageRow, 'path' | 'hash'>[]): Work<boolean> {
    const wanted = new Map(pages.map(({ path, hash }) => [path, hash]));
    for (let after = ''; ; ) {
      const some = yield* listHashes(db, libraryKey, after, knowledgeLimits.listedHashesCount);
      if (some.some(({ path, hash }) => wanted.get(path) !== hash)) return false;
      const last = some.at(-1);
      if (last === undefined || some.length < knowledgeLimits.listedHashesCount) return true;
      after = last.path;
    }
  }

  return {
    /** Writes all pages, or none if it fails. */
    async put(target: LibraryVersion, source: LibrarySource, pages: readonly NewPage[], call: Call): Promise<void> {
      const newKey = ids.uuid();
      const rows = pages.flatMap(toSectionRows);
      // Before the transaction: collecting identifiers takes time during which the store would wait.
      const newDocuments: KnowledgeDocument[] = [];
      const pace = createPacer(knowledgeLimits.documentsSliceMs, call.signal);
      for (const page of pages) {
        for (const row of toSectionRows(page)) {
          newDocuments.push(toSectionDocument(target, page, row));
          await pace();
        }
      }
      const newIds = new Set(newDocuments.map(({ id }) => id));
      const paths = pages.map(({ path }) => path);
      await storage.write(withoutKey(call), function* (db) {
        yield* lockLibrary(db, target);
        const library = yield* expectLibrary(db, target, source, newKey);
        const before = yield* clear(db, library, paths);
        yield* putPages(db, library.library_key, pages.map(toPageRow));
        yield* insertSections(db, library.library_key, rows);
        yield* changeCounts(db, library.library_key, {
          pages: pages.length - before.pagesCount,
          sections: rows.length - before.ids.length,
        });
        const what = library.library_key === newKey ? 'create' : 'update';
        yield* db.changed(libraryTopic, formatLibraryVersion(target), what, hashOfLibrary(pages));
        yield* documents.remove(
          db,
          before.ids.filter((id) => !newIds.has(id)),
        );
        yield* documents.put(db, newDocuments);
      });
    },

    async remove(target: LibraryVersion, paths: readonly string[], call: Call): Promise<number> {
      return storage.write(withoutKey(call), function* (db) {
        yield* lockLibrary(db, target);
        const library = yield* findLibrary(db, target);
        if (library === undefined) return 0;
        const { pagesCount, ids: gone } = yield* clear(db, library, paths);
        if (pagesCount === 0) return 0;
        yield* deletePages(db, library.library_key, paths);
        yield* changeCounts(db, library.library_key, { pages: -pagesCount, sections: -gone.length });
        yield* db.changed(libraryTopic, formatLibraryVersion(target), 'update', sha256Hex(paths.join('\n')));
        yield* documents.remove(db, gone);
        return pagesCount;
      });
    },

    async hashes(target: LibraryVersion, call: Call): Promise<ReadonlyMap<string, string>> {
      const known = new Map<string, string>();
      for (let after = ''; ; ) {
        const pages = await storage.read(call, function* (db) {
          const library = yield* findLibrary(db, target);
          const { listedHashesCount } = knowledgeLimits;
          return library === undefined ? [] : yield* listHashes(db, library.library_key, after, listedHashesCount);
        });
        for (const { path, hash } of pages) known.set(path, hash);
        const last = pages.at(-1);
        if (last === undefined || pages.length < knowledgeLimits.listedHashesCount) return known;
        after = last.path;
      }
    },

    /** Marks the library as complete. Undefined if another process removed the library or wrote to it meanwhile. */
    async finish(
      target: LibraryVersion,
      source: LibrarySource,
      pages: readonly Pick<PageRow, 'path' | 'hash'>[],
      call: Call,
    ): Promise<LibraryRow | undefined> {
      const hash = hashOfLibrary(pages);
      return storage.write(withoutKey(call), function* (db) {
        yield* lockLibrary(db, target);
        const library = yield* findLibrary(db, target);
        if (library === undefined || library.pages_count !== pages.length) return undefined;
        const isSame = library.hash === hash && library.source === source.name && library.source_kind === source.kind;
        if (isSame) return library;
        // The count may match by chance if two processes ingest the same library from different sources.
        if (!(yield* isWhole(db, library.library_key, pages))) return undefined;
        yield* db.changed(libraryTopic, formatLibraryVersion(target), 'update', hash);
        yield* finishLibrary(db, { ...library, source_kind: source.kind, source: source.name, hash });
        return { ...library, source_kind: source.kind, source: source.name, hash, updated_at: db.now };
      });
    },
  };
}
