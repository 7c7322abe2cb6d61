import type { Migration } from '#kernel/storage/migration.ts';
import { rowHashSql } from '#kernel/storage/row-hash.ts';

const versions = {
  table: 'instruction_versions',
  columns: ['id', 'number', 'what', 'etag', 'document', 'author', 'tool', 'reason', 'at'],
} as const;

/** Every version of every entry. Entries in a table begin with the present one; those in files with their next change. */
export const instructionVersions: Migration = {
  id: 18,
  name: 'instruction-versions',
  tenantTables: ['instruction_versions'],
  hashedTables: [versions],
  up: (d) => [
    `create table instruction_versions (
      tenant ${d.text} not null, id ${d.text} not null, number ${d.integer} not null, what ${d.text} not null,
      etag ${d.text} not null, document ${d.text}, author ${d.text} not null, tool ${d.text} not null, reason ${d.text},
      at ${d.integer} not null, row_hash ${d.text},
      primary key (tenant, id, number)
    ) ${d.clustered}`,
    `insert into instruction_versions (tenant, id, number, what, etag, document, author, tool, reason, at, row_hash)
      select tenant, id, 1, 'found', etag, document, '', '', null, at,
        ${rowHashSql(d, versions, { number: '1', what: "'found'", author: "''", tool: "''", reason: 'null' })}
      from instructions`,
  ],
};
