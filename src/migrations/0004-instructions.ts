import type { Migration } from '#kernel/storage/migration.ts';

/**
 * Instructions: the entries themselves if no folder holds them, pending file changes, and the state of each entry that
 * the audit trail and the search index know.
 */
export const instructionTables: Migration = {
  id: 4,
  name: 'instructions',
  tenantTables: ['instructions', 'instruction_journal', 'instruction_seen'],
  derivedTables: ['instruction_seen'],
  privateTables: ['instruction_journal'],
  up: (d) => [
    `create table instructions (
      tenant ${d.text} not null, id ${d.text} not null, document ${d.text} not null, etag ${d.text} not null,
      at ${d.integer} not null,
      primary key (tenant, id)
    ) ${d.table}`,
    `create table instruction_journal (
      tenant ${d.text} not null, batch ${d.text} not null, id ${d.text} not null, before_etag ${d.text},
      after_etag ${d.text}, document ${d.text}, state ${d.text} not null, at ${d.integer} not null,
      primary key (tenant, batch, id)
    ) ${d.table}`,
    'create index instruction_journal_by_id on instruction_journal (tenant, id)',
    `create table instruction_seen (
      tenant ${d.text} not null, id ${d.text} not null, etag ${d.text} not null,
      primary key (tenant, id)
    ) ${d.table}`,
  ],
};
