import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { defineRowHash, type Hashed, type RowHash } from '#kernel/storage/row-hash.ts';
import { list, type Sql, sql, values } from '#kernel/storage/sql.ts';
import type { LibraryVersion } from './library-version.ts';

export interface LibraryRow extends LibraryVersion {
  readonly library_key: string;
  readonly source_kind: string;
  readonly source: string;
  readonly pages_count: number;
  readonly sections_count: number;
  /** Empty if the last ingest did not finish. */
  readonly hash: string;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface PageRow {
  readonly path: string;
  readonly title: string;
  readonly category: string;
  readonly url: string | null;
  readonly hash: string;
  readonly sections_count: number;
}

export interface SectionRow {
  readonly path: string;
  readonly position: number;
  readonly anchor: string;
  /** The level of its heading, from 1. 0 continues the section before it. */
  readonly level: number;
  readonly title: string;
  /** A JSON array. */
  readonly breadcrumb: string;
  readonly body: string;
}

type HashedLibrary = Pick<LibraryRow, 'library' | 'version' | 'library_key' | 'source_kind' | 'source'>;

const libraryHash = defineRowHash<HashedLibrary>(
  { table: 'knowledge_libraries', columns: ['library', 'version', 'library_key', 'source_kind', 'source'] },
  ({ library, version }) => `library ${library}@${version}`,
);

const pageHash = defineRowHash<Omit<PageRow, 'sections_count'>>(
  { table: 'knowledge_pages', columns: ['path', 'title', 'category', 'url', 'hash'] },
  ({ path }) => `page ${path}`,
);

const sectionHash = defineRowHash<SectionRow>(
  {
    table: 'knowledge_sections',
    columns: ['path', 'position', 'anchor', 'level', 'title', 'breadcrumb', 'body'],
  },
  ({ path, anchor }) => `section ${path}#${anchor}`,
);

/** A damaged row fails a read, is left out of a search, and does not matter where its content is not used. */
export type OnDamage = 'fail' | 'skip' | 'ignore';

function* select<Base extends object, Row extends Base & Hashed>(
  db: Reader,
  hash: RowHash<Base>,
  query: Sql<Row>,
  onDamage: OnDamage,
): Work<readonly Row[]> {
  const rows = onDamage === 'fail' ? yield* hash.all(db, query) : yield* db.all(query);
  return onDamage === 'skip' ? rows.filter(hash.isIntact) : rows;
}

/** Serialises the writers of one library version. */
export const lockLibrary = (db: Writer, { library, version }: LibraryVersion) =>
  db.lock(`library:${library}@${version}`);

const columns = sql`library, version, library_key, source_kind, source, pages_count, sections_count, hash, created_at,
  updated_at, row_hash`;

export const findLibrary = (db: Reader, { library, version }: LibraryVersion) =>
  libraryHash.get(
    db,
    sql<LibraryRow & Hashed>`
    select ${columns} from knowledge_libraries
    where tenant = ${db.tenant} and library = ${library} and version = ${version}`,
  );

export const findVersions = (db: Reader, library: string) =>
  libraryHash.all(
    db,
    sql<LibraryRow & Hashed>`
    select ${columns} from knowledge_libraries where tenant = ${db.tenant} and library = ${library} order by version`,
  );

export const findLibraries = (db: Reader, libraries: readonly string[]) =>
  libraryHash.all(
    db,
    sql<LibraryRow & Hashed>`
    select ${columns} from knowledge_libraries where tenant = ${db.tenant} and library in ${list(libraries)}`,
  );

export const listLibraries = (db: Reader, after: LibraryVersion, limit: number) =>
  libraryHash.all(
    db,
    sql<LibraryRow & Hashed>`
    select ${columns} from knowledge_libraries
    where tenant = ${db.tenant} and (library, version) > (${after.library}, ${after.version})
    order by library, version limit ${limit}`,
  );

export const listLibraryNames = (db: Reader, limit: number) =>
  db.all(sql<Pick<LibraryRow, 'library'>>`
    select distinct library from knowledge_libraries where tenant = ${db.tenant} order by library limit ${limit}`);

export const insertLibrary = (db: Writer, row: LibraryRow) =>
  db.run(sql`
    insert into knowledge_libraries (tenant, library, version, library_key, source_kind, source, pages_count,
      sections_count, hash, created_at, updated_at, row_hash)
    values (${db.tenant}, ${row.library}, ${row.version}, ${row.library_key}, ${row.source_kind}, ${row.source},
      ${row.pages_count}, ${row.sections_count}, ${row.hash}, ${row.created_at}, ${row.updated_at},
      ${libraryHash.of(row)})
    on conflict do nothing`);

export interface CountsChange {
  readonly pages: number;
  readonly sections: number;
}

/** Clears the hash: it is set when the ingest finishes. */
export const changeCounts = (db: Writer, libraryKey: string, { pages, sections }: CountsChange) =>
  db.run(sql`
    update knowledge_libraries set pages_count = pages_count + ${pages}, sections_count = sections_count + ${sections},
      hash = '', updated_at = ${db.now}
    where tenant = ${db.tenant} and library_key = ${libraryKey}`);

export const finishLibrary = (db: Writer, row: HashedLibrary & Pick<LibraryRow, 'hash'>) =>
  db.run(sql`
    update knowledge_libraries set source_kind = ${row.source_kind}, source = ${row.source}, hash = ${row.hash},
      updated_at = ${db.now}, row_hash = ${libraryHash.of(row)}
    where tenant = ${db.tenant} and library_key = ${row.library_key}`);

/** A damaged library is rejected: its copy in the trash would count as intact. */
export function* deleteLibrary(db: Writer, { library, version }: LibraryVersion): Work<LibraryRow | undefined> {
  const deleted = yield* libraryHash.get(
    db,
    sql<LibraryRow & Hashed>`
    delete from knowledge_libraries
    where tenant = ${db.tenant} and library = ${library} and version = ${version} returning ${columns}`,
  );
  if (deleted === undefined) return undefined;
  const { row_hash: _hash, ...row } = deleted;
  return row;
}

export const findPages = (
  db: Reader,
  libraryKey: string,
  paths: readonly string[],
  onDamage: OnDamage,
): Work<readonly PageRow[]> =>
  select(
    db,
    pageHash,
    sql<PageRow & Hashed>`
    select path, title, category, url, hash, sections_count, row_hash from knowledge_pages
    where tenant = ${db.tenant} and library_key = ${libraryKey} and path in ${list(paths)}`,
    onDamage,
  );

export const listPages = (
  db: Reader,
  libraryKey: string,
  after: string,
  limit: number,
  onDamage: OnDamage,
): Work<readonly PageRow[]> =>
  select(
    db,
    pageHash,
    sql<PageRow & Hashed>`
    select path, title, category, url, hash, sections_count, row_hash from knowledge_pages
    where tenant = ${db.tenant} and library_key = ${libraryKey} and path > ${after} order by path limit ${limit}`,
    onDamage,
  );

export const listHashes = (db: Reader, libraryKey: string, after: string, limit: number) =>
  db.all(sql<Pick<PageRow, 'path' | 'hash'>>`
    select path, hash from knowledge_pages
    where tenant = ${db.tenant} and library_key = ${libraryKey} and path > ${after} order by path limit ${limit}`);

export const putPages = (db: Writer, libraryKey: string, rows: readonly PageRow[]) =>
  db.run(sql`
    insert into knowledge_pages (tenant, library_key, path, title, category, url, hash, sections_count, row_hash)
    values ${values(
      rows.map((row) => [
        ...[db.tenant, libraryKey, row.path, row.title, row.category, row.url, row.hash, row.sections_count],
        pageHash.of(row),
      ]),
    )}
    on conflict (tenant, library_key, path) do update set title = excluded.title, category = excluded.category,
      url = excluded.url, hash = excluded.hash, sections_count = excluded.sections_count,
      row_hash = excluded.row_hash`);

export const deletePages = (db: Writer, libraryKey: string, paths: readonly string[]) =>
  db.run(sql`
    delete from knowledge_pages
    where tenant = ${db.tenant} and library_key = ${libraryKey} and path in ${list(paths)}`);

export const insertSections = (db: Writer, libraryKey: string, rows: readonly SectionRow[]) =>
  db.run(sql`
    insert into knowledge_sections (tenant, library_key, path, position, anchor, level, title, breadcrumb, body,
      row_hash)
    values ${values(
      rows.map((row) => [
        ...[db.tenant, libraryKey, row.path, row.position, row.anchor, row.level, row.title, row.breadcrumb, row.body],
        sectionHash.of(row),
      ]),
    )}`);

export const deleteSections = (db: Writer, libraryKey: string, paths: readonly string[]) =>
  db.all(sql<Pick<SectionRow, 'path' | 'anchor'>>`
    delete from knowledge_sections
    where tenant = ${db.tenant} and library_key = ${libraryKey} and path in ${list(paths)}
    returning path, anchor`);

export const findSections = (
  db: Reader,
  libraryKey: string,
  paths: readonly string[],
  onDamage: OnDamage,
): Work<readonly SectionRow[]> =>
  select(
    db,
    sectionHash,
    sql<SectionRow & Hashed>`
    select path, position, anchor, level, title, breadcrumb, body, row_hash from knowledge_sections
    where tenant = ${db.tenant} and library_key = ${libraryKey} and path in ${list(paths)}
    order by path, position`,
    onDamage,
  );

export type SectionPlace = Pick<SectionRow, 'path' | 'position' | 'anchor' | 'level'>;

/** By page and position, without the texts: much less to read than the sections. */
export const listPlaces = (db: Reader, libraryKey: string, paths: readonly string[]) =>
  db.all(sql<SectionPlace>`
    select path, position, anchor, level from knowledge_sections
    where tenant = ${db.tenant} and library_key = ${libraryKey} and path in ${list(paths)}
    order by path, position`);

/** In no particular order. */
export const findSectionsAt = (
  db: Reader,
  libraryKey: string,
  places: readonly Pick<SectionPlace, 'path' | 'position'>[],
  onDamage: OnDamage,
): Work<readonly SectionRow[]> =>
  select(
    db,
    sectionHash,
    sql<SectionRow & Hashed>`
    with wanted (path, position) as (values ${values(places.map(({ path, position }) => [path, position]))})
    select s.path, s.position, s.anchor, s.level, s.title, s.breadcrumb, s.body, s.row_hash from wanted w
    join knowledge_sections s on s.tenant = ${db.tenant} and s.library_key = ${libraryKey} and s.path = w.path
      and s.position = cast(w.position as bigint)`,
    onDamage,
  );

export const findTitles = (db: Reader, libraryKey: string, paths: readonly string[]) =>
  db.all(sql<Pick<SectionRow, 'path' | 'anchor' | 'title'>>`
    select path, anchor, title from knowledge_sections
    where tenant = ${db.tenant} and library_key = ${libraryKey} and path in ${list(paths)}`);

export const listAnchors = (db: Reader, libraryKey: string, path: string, position: number, limit: number) =>
  db.all(sql<Pick<SectionRow, 'path' | 'anchor' | 'position'>>`
    select path, anchor, position from knowledge_sections
    where tenant = ${db.tenant} and library_key = ${libraryKey} and (path, position) > (${path}, ${position})
    order by path, position limit ${limit}`);

export const findPosition = (db: Reader, libraryKey: string, path: string, anchor: string) =>
  db.get(sql<Pick<SectionRow, 'position'>>`
    select position from knowledge_sections
    where tenant = ${db.tenant} and library_key = ${libraryKey} and path = ${path} and anchor = ${anchor}`);
