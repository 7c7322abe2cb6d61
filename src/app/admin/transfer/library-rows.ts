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
import {
  createLoggedWrite,
  type DomainRows,
  type DomainRowsDeps,
  isJson,
  parseCopy,
  textOf,
  trashedIn,
  trashTable,
  withoutTrashedOf,
} from './domain-rows.ts';
import type { Chunk } from './read-chunks.ts';

const libraryTables = {
  pages: 'knowledge_pages',
  sections: 'knowledge_sections',
  libraries: 'knowledge_libraries',
} as const;
const ownTables: ReadonlySet<string> = new Set(Object.values(libraryTables));

interface InspectedLibrary extends LibraryVersion {
  readonly pagesCount: number;
  readonly isCopy: boolean;
  readonly isWanted: boolean;
}

const keyOf = (row: Row): string => textOf(row, 'library_key');
const editionOf = (row: Row): LibraryVersion => ({ library: textOf(row, 'library'), version: textOf(row, 'version') });

const idOfCopy = (library: Row): string | undefined =>
  typeof library['library_key'] === 'string' ? formatLibraryVersion(editionOf(library)) : undefined;

const isBreadcrumb = (value: unknown): boolean =>
  Array.isArray(value) && value.every((title) => typeof title === 'string');

/**
 * Libraries are merged by name and version. Their keys are unique only in their old store, so each gets a new one.
 * Pages are written before their library and are first recorded as pages of a removed library, so that the sweep
 * removes them if the import does not finish.
 */
export function createLibraryRows(deps: DomainRowsDeps): DomainRows {
  const { storage, ids, mode, call } = deps;
  const writeLogged = createLoggedWrite(deps);
  /** All maps use the keys of the export. */
  const inspected = new Map<string, InspectedLibrary>();
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
      throw refuse(line, 'its library name or version is invalid');
    }
    if (inspected.has(keyOf(row))) throw refuse(line, 'another library has the same library_key');
    inspected.set(keyOf(row), { ...edition, pagesCount: Number(row['pages_count']), isCopy, isWanted });
  }

  const isThere = (edition: LibraryVersion): Promise<boolean> =>
    storage.read(call(), function* (db) {
      return (yield* findLibrary(db, edition)) !== undefined;
    });

  /** A trash row with the same name and time is the same row, from an earlier import or still here. */
  async function inspectTrashed({ table }: Chunk, row: Row, line: number): Promise<void> {
    const library = parseCopy(row, idOfCopy);
    if (library === undefined) throw refuse(line, 'it is not a valid removed library');
    const known = await storage.read(call(), (db) => findExistingKey(db, table, [row]));
    note(library, line, true, known === undefined);
  }

  async function inspect(chunk: Chunk): Promise<void> {
    const { table, rows, lastLine } = chunk;
    for (const [i, row] of rows.entries()) {
      const line = lastLine - rows.length + 1 + i;
      if (table.name === trashTable && row['topic'] === libraryTopic) await inspectTrashed(chunk, row, line);
      if (table.name === libraryTables.libraries) {
        note(row, line, false, mode !== 'skip' || !(await isThere(editionOf(row))));
      }
      if (table.name === libraryTables.pages || table.name === libraryTables.sections) {
        counts[table.name].set(keyOf(row), countOf(table.name, keyOf(row)) + 1);
      }
      if (table.name === libraryTables.sections && !isJson(textOf(row, 'breadcrumb'), isBreadcrumb)) {
        throw refuse(line, `${table.name}.breadcrumb is not valid JSON for this column`);
      }
    }
  }

  /** Skips removed libraries whose pages are partly swept: they cannot be restored. */
  function validate(): void {
    for (const [key, { pagesCount, isCopy, isWanted }] of inspected) {
      const isWhole = countOf(libraryTables.pages, key) === pagesCount;
      if (isWanted && (isWhole || !isCopy)) newKeys.set(key, ids.uuid());
    }
  }

  /** Moves an existing library to the trash. Returns false if the existing one stays. */
  function* writeLibrary(db: Writer, { table, columns }: Chunk, row: Row, libraryKey: string): Work<boolean> {
    const edition = editionOf(row);
    yield* lockLibrary(db, edition);
    const before = mode === 'replace' ? yield* moveToTrash(db, edition, call().actor) : undefined;
    const pages_count = countOf(libraryTables.pages, keyOf(row));
    const sections_count = countOf(libraryTables.sections, keyOf(row));
    const isTrue = pages_count === row['pages_count'] && sections_count === row['sections_count'];
    // Wrong counts mark it as incomplete; the next ingest completes it.
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
      const library = parseCopy(row, idOfCopy);
      const libraryKey = library === undefined ? undefined : newKeys.get(keyOf(library));
      return libraryKey === undefined
        ? []
        : [{ ...row, document: JSON.stringify({ ...library, library_key: libraryKey }) }];
    });
    return yield* writeRows(db, table, columns, copies, 'keep');
  }

  return {
    handles: ({ table }) => ownTables.has(table.name),
    mustBeNew: ({ table: { name } }) => name === libraryTables.libraries || !ownTables.has(name),
    withoutTrashed: (chunk) => withoutTrashedOf(chunk, libraryTopic),
    inspect,
    validate,
    async begin() {
      if (newKeys.size === 0) return;
      await storage.write({ ...call(), audit: 'none' }, function* (db) {
        for (const [key, libraryKey] of newKeys) yield* insertRemoval(db, inspected.get(key)!, libraryKey, 0);
      });
    },
    write: (chunk) => writeLogged(chunk, (db) => writeSome(db, chunk)),
    async finish(chunks) {
      let written = 0;
      for await (const chunk of trashedIn(chunks(), libraryTopic)) {
        written += await writeLogged(chunk, (db) => writeCopies(db, chunk));
      }
      return written;
    },
  };
}
