import type { Migration } from '#kernel/storage/migration.ts';

/** Where versions that were found on disk come from: another id, a git commit. Most versions have no row. */
export const instructionOrigins: Migration = {
  id: 20,
  name: 'instruction-origins',
  tenantTables: ['instruction_origins'],
  hashedTables: [
    {
      table: 'instruction_origins',
      columns: ['id', 'number', 'body_hash', 'renamed_from', 'renamed_to', 'git_author'],
    },
  ],
  up: (d) => [
    `create table instruction_origins (
      tenant ${d.text} not null, id ${d.text} not null, number ${d.integer} not null, body_hash ${d.text},
      renamed_from ${d.text}, renamed_to ${d.text}, git_author ${d.text}, row_hash ${d.text},
      primary key (tenant, id, number)
    ) ${d.clustered}`,
    'create index instruction_origins_by_body on instruction_origins (tenant, body_hash)',
  ],
};
