import type { Migration } from '#kernel/storage/migration.ts';

/**
 * Libraries, their pages and sections. All contents refer to `library_key`, which is new with every creation. So a
 * removal moves one row, however much the library holds, and a restore moves it back.
 */
export const knowledgeTables: Migration = {
  id: 9,
  name: 'knowledge',
  // Libraries after their contents: rows are imported in this order, so a library that exists is complete.
  tenantTables: ['knowledge_pages', 'knowledge_sections', 'knowledge_libraries', 'knowledge_removals'],
  // When the sweep of this store may delete the contents of a removed library. The library itself is in the trash.
  privateTables: ['knowledge_removals'],
  up: (d) => [
    // hash '' means that the library is being ingested, or that its last ingest was interrupted.
    `create table knowledge_libraries (
      tenant ${d.text} not null, library ${d.text} not null, version ${d.text} not null, library_key ${d.text} not null,
      source_kind ${d.text} not null, source ${d.text} not null, pages_count ${d.integer} not null,
      sections_count ${d.integer} not null, hash ${d.text} not null, created_at ${d.integer} not null,
      updated_at ${d.integer} not null,
      primary key (tenant, library, version)
    ) ${d.clustered}`,
    // Hash of the page's source: equal bytes are not parsed again.
    `create table knowledge_pages (
      tenant ${d.text} not null, library_key ${d.text} not null, path ${d.text} not null, title ${d.text} not null,
      category ${d.text} not null, url ${d.text}, hash ${d.text} not null, sections_count ${d.integer} not null,
      primary key (tenant, library_key, path)
    ) ${d.clustered}`,
    // The text is the last column, so that light reads stop before it. Level 0 continues the section before it.
    `create table knowledge_sections (
      tenant ${d.text} not null, library_key ${d.text} not null, path ${d.text} not null, position ${d.integer} not null,
      anchor ${d.text} not null, level ${d.integer} not null, title ${d.text} not null, breadcrumb ${d.text} not null,
      body ${d.text} not null,
      primary key (tenant, library_key, path, position)
    ) ${d.clustered}`,
    // Its documents leave the index after this row is written, and its pages when it can no longer be restored.
    `create table knowledge_removals (
      tenant ${d.text} not null, library_key ${d.text} not null, library ${d.text} not null, version ${d.text} not null,
      is_indexed ${d.integer} not null, removed_at ${d.integer} not null,
      primary key (tenant, library_key)
    ) ${d.clustered}`,
  ],
};
