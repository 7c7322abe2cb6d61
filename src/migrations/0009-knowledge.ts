import type { Migration } from '#kernel/storage/migration.ts';

/**
 * Libraries, their pages and sections. Everything inside a library hangs on `library_key`, which is new with every creation:
 * a removal moves one row, however much the library holds, and a restore moves it back.
 */
export const knowledgeTables: Migration = {
  id: 9,
  name: 'knowledge',
  // Libraries after what is in them: rows come in in this order, and a library that is there is whole.
  tenantTables: ['knowledge_pages', 'knowledge_sections', 'knowledge_libraries', 'knowledge_removals'],
  // Says when a sweep of this store may go through the contents of a removed library; the library itself is in the trash.
  privateTables: ['knowledge_removals'],
  up: (d) => [
    // hash '' is a library whose pages are being taken in, or one whose last ingest did not come to its end.
    `create table knowledge_libraries (
      tenant ${d.text} not null, library ${d.text} not null, version ${d.text} not null, library_key ${d.text} not null,
      source_kind ${d.text} not null, source ${d.text} not null, pages_count ${d.integer} not null,
      sections_count ${d.integer} not null, hash ${d.text} not null, created_at ${d.integer} not null,
      updated_at ${d.integer} not null,
      primary key (tenant, library, version)
    ) ${d.clustered}`,
    // hash is of what the page was made from: the same bytes are not read again.
    `create table knowledge_pages (
      tenant ${d.text} not null, library_key ${d.text} not null, path ${d.text} not null, title ${d.text} not null,
      category ${d.text} not null, url ${d.text}, hash ${d.text} not null, sections_count ${d.integer} not null,
      primary key (tenant, library_key, path)
    ) ${d.clustered}`,
    // The text stands last, so that light reads stop before it. level 0 goes on with the section before it.
    `create table knowledge_sections (
      tenant ${d.text} not null, library_key ${d.text} not null, path ${d.text} not null, position ${d.integer} not null,
      anchor ${d.text} not null, level ${d.integer} not null, title ${d.text} not null, breadcrumb ${d.text} not null,
      body ${d.text} not null,
      primary key (tenant, library_key, path, position)
    ) ${d.clustered}`,
    // Its documents leave the index after the row that made them findable, and its pages when it can no longer come back.
    `create table knowledge_removals (
      tenant ${d.text} not null, library_key ${d.text} not null, library ${d.text} not null, version ${d.text} not null,
      is_indexed ${d.integer} not null, removed_at ${d.integer} not null,
      primary key (tenant, library_key)
    ) ${d.clustered}`,
  ],
};
