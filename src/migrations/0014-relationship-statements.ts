import type { Migration } from '#kernel/storage/migration.ts';
import { addRowHash, type HashedTable } from '#kernel/storage/row-hash.ts';

const types: HashedTable = {
  table: 'truth_relationship_types',
  columns: ['relationship_type', 'description', 'is_acyclic', 'created_at'],
};

/** Without `replaced_at`, which follows from later statements. */
const statements: HashedTable = {
  table: 'truth_relationship_statements',
  columns: [
    ...['relationship_id', 'statement_id', 'kind', 'position', 'source_kind', 'source_id', 'submission_id'],
    ...['effective_at', 'effective_until', 'at_chars', 'until_chars', 'metadata', 'reason', 'actor', 'created_at'],
  ],
};

/**
 * Type and ends name an edge; its periods and metadata are statements. The row of an edge repeats the period that matters
 * at the time of its last write, so that the common read needs no statements. All its new columns follow from them.
 */
export const relationshipStatements: Migration = {
  id: 14,
  name: 'relationship-statements',
  tenantTables: ['truth_relationship_types', 'truth_relationship_statements'],
  hashedTables: [types, statements],
  up: (d) => [
    // The built-in types have no row.
    `create table truth_relationship_types (
      tenant ${d.text} not null, relationship_type ${d.text} not null, description ${d.text} not null,
      is_acyclic ${d.integer} not null, created_at ${d.integer} not null,
      primary key (tenant, relationship_type)
    ) ${d.clustered}`,
    // kind: state, delete, restore or retract. at_chars 0: the start was not stated, so it is the time of recording.
    // replaced_at: when a later statement took its place.
    `create table truth_relationship_statements (
      tenant ${d.text} not null, relationship_id ${d.text} not null, statement_id ${d.text} not null,
      kind ${d.text} not null, position ${d.integer} not null, source_kind ${d.text} not null, source_id ${d.text},
      submission_id ${d.text}, effective_at ${d.integer} not null, effective_until ${d.integer},
      at_chars ${d.integer} not null, until_chars ${d.integer} not null, metadata ${d.text}, reason ${d.text},
      actor ${d.text} not null, created_at ${d.integer} not null, replaced_at ${d.integer},
      primary key (tenant, relationship_id, statement_id)
    ) ${d.clustered}`,
    `insert into truth_relationship_statements (tenant, relationship_id, statement_id, kind, position, source_kind,
      effective_at, at_chars, until_chars, metadata, actor, created_at)
    select tenant, relationship_id, 'est_' || substr(${d.sha256Of(
      `relationship_id || '\u001f' || cast(created_at as text) || '\u001f' || '0'`,
    )}, 1, 24), 'state', 0, 'call', created_at, 0, 0, metadata, '', created_at from truth_relationships`,
    `create index truth_relationship_statements_by_submission on truth_relationship_statements
      (tenant, submission_id, relationship_id) where submission_id is not null`,
    ...addRowHash(d, types),
    ...addRowHash(d, statements),
    // phase 0: holds or will hold; 1: has ended; 2: deleted; as of the last write.
    `alter table truth_relationships add column phase ${d.integer} not null default 0`,
    `alter table truth_relationships add column effective_at ${d.integer} not null default 0`,
    `alter table truth_relationships add column effective_until ${d.integer}`,
    `alter table truth_relationships add column at_chars ${d.integer} not null default 0`,
    `alter table truth_relationships add column until_chars ${d.integer} not null default 0`,
    // From then on the statements have to be read. 0 in rows of an older export, which have no period yet.
    `alter table truth_relationships add column next_change_at ${d.integer} default 0`,
    `alter table truth_relationships add column source_kind ${d.text} not null default 'call'`,
    `alter table truth_relationships add column source_id ${d.text}`,
    `alter table truth_relationships add column submission_id ${d.text}`,
    'update truth_relationships set effective_at = created_at, next_change_at = null',
    'drop index truth_relationships_out',
    'drop index truth_relationships_in',
    `create index truth_relationships_out on truth_relationships
      (tenant, source_root_id, relationship_type, phase, created_at, relationship_id)`,
    `create index truth_relationships_in on truth_relationships
      (tenant, target_root_id, relationship_type, phase, created_at, relationship_id)`,
    `create index truth_relationships_due on truth_relationships (tenant, next_change_at, relationship_id)
      where next_change_at is not null`,
  ],
};
