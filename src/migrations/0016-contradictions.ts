import type { Migration } from '#kernel/storage/migration.ts';
import { addRowHash, type HashedTable } from '#kernel/storage/row-hash.ts';

const contradictions: HashedTable = {
  table: 'truth_contradictions',
  columns: [
    ...['contradiction_id', 'opened_at', 'entity_id', 'entity_type', 'field', 'observed_at', 'observation_id'],
    ...['other_entity_id', 'other_observed_at', 'other_observation_id', 'closed_at', 'closed_by', 'closing_id'],
    ...['actor', 'reason'],
  ],
};

/** Statements of different sources that disagree. They are found when one of them is written. */
export const contradictionTables: Migration = {
  id: 16,
  name: 'contradictions',
  tenantTables: ['truth_contradictions'],
  hashedTables: [contradictions],
  up: (d) => [
    // One row for each time that it was open: the retraction of the correction that closed it opens it again.
    // closed_by: correction, retraction, accept or unmerge; closing_id: that correction or submission.
    `create table truth_contradictions (
      tenant ${d.text} not null, contradiction_id ${d.text} not null, opened_at ${d.integer} not null,
      entity_id ${d.text} not null, entity_type ${d.text} not null, field ${d.text} not null,
      observed_at ${d.integer} not null, observation_id ${d.text} not null, other_entity_id ${d.text} not null,
      other_observed_at ${d.integer} not null, other_observation_id ${d.text} not null, closed_at ${d.integer},
      closed_by ${d.text}, closing_id ${d.text}, actor ${d.text}, reason ${d.text},
      primary key (tenant, contradiction_id, opened_at)
    ) ${d.clustered}`,
    ...addRowHash(d, contradictions),
    'create index truth_contradictions_by_age on truth_contradictions (tenant, opened_at, contradiction_id)',
    `create index truth_contradictions_open on truth_contradictions (tenant, opened_at, contradiction_id)
      where closed_at is null`,
    `create index truth_contradictions_of_entity on truth_contradictions
      (tenant, entity_id, opened_at, contradiction_id)`,
    `create index truth_contradictions_of_type on truth_contradictions
      (tenant, entity_type, opened_at, contradiction_id)`,
    // The few statements whose effective time was stated; the primary key finds the others.
    `create index truth_observations_stated_times on truth_observations
      (tenant, entity_id, effective_at, observation_id) where effective_at <> observed_at or details <> '{}'`,
    `create index truth_observations_corrections on truth_observations (tenant, entity_id, observed_at, observation_id)
      where source_kind = 'correction'`,
  ],
};
