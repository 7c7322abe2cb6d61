import type { Reader, Writer } from '#kernel/storage/port.ts';
import { sql } from '#kernel/storage/sql.ts';
import type { SectionRow } from './library-store.ts';
import type { LibraryVersion } from './library-version.ts';

export interface RemovalRow extends LibraryVersion {
  readonly library_key: string;
  /** 1 if some of its documents may still be in the index. Search does not show them. */
  readonly is_indexed: number;
  readonly removed_at: number;
}

export const insertRemoval = (db: Writer, { library, version }: LibraryVersion, libraryKey: string, isIndexed: 0 | 1) =>
  db.run(sql`
    insert into knowledge_removals (tenant, library_key, library, version, is_indexed, removed_at)
    values (${db.tenant}, ${libraryKey}, ${library}, ${version}, ${isIndexed}, ${db.now})`);

export const setIndexed = (db: Writer, libraryKey: string, isIndexed: 0 | 1) =>
  db.run(sql`
    update knowledge_removals set is_indexed = ${isIndexed}
    where tenant = ${db.tenant} and library_key = ${libraryKey}`);

export const deleteRemoval = (db: Writer, libraryKey: string) =>
  db.run(sql`delete from knowledge_removals where tenant = ${db.tenant} and library_key = ${libraryKey}`);

export const listIndexedRemovals = (db: Reader) =>
  db.all(sql<RemovalRow>`
    select library_key, library, version, is_indexed, removed_at from knowledge_removals
    where tenant = ${db.tenant} and is_indexed = 1 order by library_key`);

export const findOldRemoval = (db: Reader, before: number) =>
  db.get(sql<RemovalRow>`
    select library_key, library, version, is_indexed, removed_at from knowledge_removals
    where tenant = ${db.tenant} and removed_at < ${before} order by removed_at, library_key limit 1`);

export const deleteSomeSections = (db: Writer, libraryKey: string, limit: number) =>
  db.run(sql`
    delete from knowledge_sections where tenant = ${db.tenant} and library_key = ${libraryKey}
      and (path, position) in (
        select path, position from knowledge_sections where tenant = ${db.tenant} and library_key = ${libraryKey}
        order by path, position limit ${limit})`);

export const deleteAllPages = (db: Writer, libraryKey: string) =>
  db.run(sql`delete from knowledge_pages where tenant = ${db.tenant} and library_key = ${libraryKey}`);

export const listAnchorsBetween = (db: Reader, libraryKey: string, from: string, to: string) =>
  db.all(sql<Pick<SectionRow, 'path' | 'anchor'>>`
    select path, anchor from knowledge_sections
    where tenant = ${db.tenant} and library_key = ${libraryKey} and path >= ${from} and path <= ${to}`);
