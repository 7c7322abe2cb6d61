import { findLibrary, lockLibrary } from '#domains/knowledge/libraries/library-store.ts';
import { deleteRemoval, insertRemoval } from '#domains/knowledge/libraries/library-trash-store.ts';
import {
  formatLibraryVersion,
  isLibraryName,
  isVersion,
  type LibraryVersion,
} from '#domains/knowledge/libraries/library-version.ts';
import { moveToTrash } from '#domains/knowledge/libraries/remove-library.ts';
import { libraryTopic } from '#domains/knowledge/libraries/write-pages.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { findExistingKey, type Row, writeRows } from '#kernel/storage/transfer.ts';
import { adminFaults } from '../admin-faults.ts';
import { copiesIn, type OwnRows, type OwnRowsDeps, trashTable, withoutCopiesOf } from './own-rows.ts';
import type { Chunk } from './read-chunks.ts';

const libraryTables = {
  pages: 'knowledge_pages',
  sections: 'knowledge_sections',
  libraries: 'knowledge_libraries',
} as const;
const ownTables: ReadonlySet<string> = new Set(Object.values(libraryTables));

interface LookedAt extends LibraryVersion {
  readonly pagesCount: number;
  readonly isCopy: boolean;
  readonly isWanted: boolean;
}

const textOf = (row: Row, name: string): string => String(row[name]);
const keyOf = (row: Row): string => textOf(row, 'library_key');
const editionOf = (row: Row): LibraryVersion => ({ library: textOf(row, 'library'), version: textOf(row, 'version') });

/** The row of a removed library, as the trash holds it; undefined when it is none. */
function parseCopy(row: Row): Row | undefined {
  try {
    const library = JSON.parse(textOf(row, 'document')) as Row;
    return typeof library['library_key'] === 'string' && formatLibraryVersion(editionOf(library)) === row['id']
      ? library
      : undefined;
  } catch {
    return undefined;
  }
}

const isBreadcrumb = (text: string): boolean => {
  try {
    const value = JSON.parse(text) as unknown;
    return Array.isArray(value) && value.every((title) => typeof title === 'string');
  } catch {
    return false;
  }
};

/**
 * Libraries are merged by name and version; the key that holds their pages together is that of the store they came from, so
 * each that comes in gets a new one. Pages come before their library and belong, until then, to nobody: they are noted as
 * those of a removed one, and swept like those if the import never gets to its end.
 */
export function createLibraryRows({ storage, ids, mode, call }: OwnRowsDeps): OwnRows {
  /** All by the keys of the export. */
  const looked = new Map<string, LookedAt>();
  const counts = {
    [libraryTables.pages]: new Map<string, number>(),
    [libraryTables.sections]: new Map<string, number>(),
  };
  const newKeys = new Map<string, string>();

  const refuse = (line: number, why: string) => adminFaults.IMPORT_INVALID({ line, why });
  const countOf = (table: keyof typeof counts, key: string): number => counts[table].get(key) ?? 0;

  function note(row: Row, line: number, isCopy: boolean, isWanted: boolean): void {
    const edition = editionOf(row);
    if (!isLibraryName(edition.library) || !isVersion(edition.version)) {
      throw refuse(line, 'it is no name and version of a library');
    }
    if (looked.has(keyOf(row))) throw refuse(line, 'another library has its library_key');
    looked.set(keyOf(row), { ...edition, pagesCount: Number(row['pages_count']), isCopy, isWanted });
  }

  const isThere = (edition: LibraryVersion): Promise<boolean> =>
    storage.read(call(), function* (db) {
      return (yield* findLibrary(db, edition)) !== undefined;
    });

  /** A copy of the same name and moment is this one: it came with an import before, or never left. */
  async function lookAtCopy({ table }: Chunk, row: Row, line: number): Promise<void> {
    const library = parseCopy(row);
    if (library === undefined) throw refuse(line, 'it is no copy of a library');
    const known = await storage.read(call(), (db) => findExistingKey(db, table, [row]));
    note(library, line, true, known === undefined);
  }

  async function look(chunk: Chunk): Promise<void> {
    const { table, rows, lastLine } = chunk;
    for (const [i, row] of rows.entries()) {
      const line = lastLine - rows.length + 1 + i;
      if (table.name === trashTable && row['topic'] === libraryTopic) await lookAtCopy(chunk, row, line);
      if (table.name === libraryTables.libraries) {
        note(row, line, false, mode !== 'skip' || !(await isThere(editionOf(row))));
      }
      if (table.name === libraryTables.pages || table.name === libraryTables.sections) {
        counts[table.name].set(keyOf(row), countOf(table.name, keyOf(row)) + 1);
      }
      if (table.name === libraryTables.sections && !isBreadcrumb(textOf(row, 'breadcrumb'))) {
        throw refuse(line, `${table.name}.breadcrumb is not the JSON that stands there`);
      }
    }
  }

  /** A copy whose pages a sweep has begun to take cannot come back any more, and is left out. */
  function choose(): void {
    for (const [key, { pagesCount, isCopy, isWanted }] of looked) {
      const isWhole = countOf(libraryTables.pages, key) === pagesCount;
      if (isWanted && (isWhole || !isCopy)) newKeys.set(key, ids.uuid());
    }
  }

  /** The library that is there goes to the trash. False: it stays, and this one does not come in. */
  function* writeLibrary(db: Writer, { table, columns }: Chunk, row: Row, libraryKey: string): Work<boolean> {
    const edition = editionOf(row);
    yield* lockLibrary(db, edition);
    const before = mode === 'replace' ? yield* moveToTrash(db, edition, call().actor) : undefined;
    const pages_count = countOf(libraryTables.pages, keyOf(row));
    const sections_count = countOf(libraryTables.sections, keyOf(row));
    const isTrue = pages_count === row['pages_count'] && sections_count === row['sections_count'];
    // With other counts than it says it is not whole: the next ingest makes it so.
    const hash = isTrue ? textOf(row, 'hash') : '';
    const library = { ...row, library_key: libraryKey, pages_count, sections_count, hash };
    if ((yield* writeRows(db, table, columns, [library], 'keep')) === 0) {
      if (mode === 'skip') return false;
      throw adminFaults.IMPORT_TAKEN({ table: table.name, key: formatLibraryVersion(edition), isPartial: true });
    }
    yield* deleteRemoval(db, libraryKey);
    yield* db.changed(libraryTopic, formatLibraryVersion(edition), before === undefined ? 'create' : 'update', hash);
    return true;
  }

  function* writeSome(db: Writer, chunk: Chunk): Work<number> {
    const { table, columns, rows } = chunk;
    const keyed = rows.flatMap((row) => {
      const libraryKey = newKeys.get(keyOf(row));
      return libraryKey === undefined ? [] : [{ row, libraryKey }];
    });
    if (table.name !== libraryTables.libraries) {
      const moved = keyed.map(({ row, libraryKey }) => ({ ...row, library_key: libraryKey }));
      return yield* writeRows(db, table, columns, moved, 'keep');
    }
    let written = 0;
    for (const { row, libraryKey } of keyed) if (yield* writeLibrary(db, chunk, row, libraryKey)) written += 1;
    return written;
  }

  function* writeCopies(db: Writer, { table, columns, rows }: Chunk): Work<number> {
    const copies = rows.flatMap((row) => {
      const library = parseCopy(row);
      const libraryKey = library === undefined ? undefined : newKeys.get(keyOf(library));
      return libraryKey === undefined
        ? []
        : [{ ...row, document: JSON.stringify({ ...library, library_key: libraryKey }) }];
    });
    return yield* writeRows(db, table, columns, copies, 'keep');
  }

  /** Each write says in the change log what it brought. */
  const writeLogged = (chunk: Chunk, work: (db: Writer, chunk: Chunk) => Work<number>): Promise<number> =>
    storage.write(call(), function* (db) {
      const written = yield* work(db, chunk);
      const what = mode === 'replace' ? 'update' : 'create';
      if (written > 0) yield* db.changed('import', chunk.table.name, what, chunk.hash);
      return written;
    });

  return {
    isOwn: ({ table }) => ownTables.has(table.name),
    isRefusable: ({ table: { name } }) => name === libraryTables.libraries || !ownTables.has(name),
    withoutCopies: (chunk) => withoutCopiesOf(chunk, libraryTopic),
    look,
    choose,
    async begin() {
      if (newKeys.size === 0) return;
      await storage.write({ ...call(), audit: 'none' }, function* (db) {
        // Nothing of them is in the index that the index itself does not take from the rows.
        for (const [key, libraryKey] of newKeys) yield* insertRemoval(db, looked.get(key)!, libraryKey, 0);
      });
    },
    write: (chunk) => writeLogged(chunk, writeSome),
    async finish(chunks) {
      let written = 0;
      for await (const chunk of copiesIn(chunks(), libraryTopic)) written += await writeLogged(chunk, writeCopies);
      return written;
    },
  };
}
