import type { Migration } from '#kernel/storage/migration.ts';
import { type HashedTable, rowHashSql } from '#kernel/storage/row-hash.ts';
import { instructionVersions } from './0018-instruction-versions.ts';

const [versionsBefore] = instructionVersions.hashedTables as readonly [HashedTable];

const versions: HashedTable = { ...versionsBefore, columns: [...versionsBefore.columns, 'approved_by', 'proposal_id'] };

const proposals: HashedTable = {
  table: 'instruction_proposals',
  columns: [
    ...['proposal_id', 'id', 'base_etag', 'base_document', 'document', 'fingerprint', 'author', 'tool', 'reason'],
    ...['created_at', 'state', 'decided_by', 'decided_at', 'decision'],
  ],
};

/** Proposed changes of instructions, and the approval of the versions that come from them. */
export const instructionProposals: Migration = {
  id: 19,
  name: 'instruction-proposals',
  tenantTables: ['instruction_proposals'],
  hashedTables: [versions, proposals],
  up: (d) => [
    // base_document: the entry that it was made from; document: the proposed fields, null for a removal.
    // state: pending, approved, rejected or withdrawn; decision: the reason for it.
    `create table instruction_proposals (
      tenant ${d.text} not null, proposal_id ${d.text} not null, id ${d.text} not null, base_etag ${d.text},
      base_document ${d.text}, document ${d.text}, fingerprint ${d.text} not null, author ${d.text} not null,
      tool ${d.text} not null, reason ${d.text}, created_at ${d.integer} not null, state ${d.text} not null,
      decided_by ${d.text}, decided_at ${d.integer}, decision ${d.text}, row_hash ${d.text},
      primary key (tenant, proposal_id)
    ) ${d.clustered}`,
    `create index instruction_proposals_by_state on instruction_proposals (tenant, state, created_at, proposal_id)`,
    `create index instruction_proposals_of_entry on instruction_proposals (tenant, id, created_at, proposal_id)`,
    `alter table instruction_versions add column approved_by ${d.text}`,
    `alter table instruction_versions add column proposal_id ${d.text}`,
    // A row that is damaged already keeps its old hash, which does not match: a new one would hide the damage.
    `update instruction_versions set row_hash = ${rowHashSql(d, versions)}
      where row_hash = ${rowHashSql(d, versionsBefore)}`,
  ],
};
