import type { Ddl, Migration } from '#kernel/storage/migration.ts';
import { addRowHash, type HashedTable, setRowHash } from '#kernel/storage/row-hash.ts';

const observations: HashedTable = {
  table: 'truth_observations',
  columns: [
    ...['entity_id', 'observed_at', 'observation_id', 'entity_type', 'schema_version', 'source_kind', 'source_id'],
    ...['role', 'specificity', 'priority', 'created_at', 'fields', 'raw_fragments', 'submission_id', 'effective_at'],
    ...['effective_until', 'retracted_at', 'origin', 'details'],
  ],
  reals: ['specificity'],
};

const states: HashedTable = {
  table: 'truth_entities',
  hash: 'state_hash',
  isDerived: true,
  columns: ['entity_id', 'schema_version', 'state', 'next_change_at'],
};

const submissions: HashedTable = {
  table: 'truth_submissions',
  columns: [
    ...['submission_id', 'payload_id', 'source_key', 'extracted_at', 'effective', 'agent_id', 'extractor_version'],
    ...['client_request_id', 'actor', 'source_refs', 'created_at', 'body'],
  ],
};

const retractions: HashedTable = {
  table: 'truth_retractions',
  columns: ['target_id', 'reason', 'actor', 'created_at'],
};

const activations: HashedTable = {
  table: 'truth_schema_activations',
  columns: ['entity_type', 'from_at', 'version', 'until_at'],
};

/** Without references, the source of a payload is its agent or its extractor. */
const originOf = (d: Ddl): string =>
  `substr(${d.sha256Of(`case when p.source_refs <> '[]' then p.source_refs else coalesce(p.agent_id, p.extractor_version) end`)}, 1, 12)`;

const ofPayload = (column: string): string =>
  `(select ${column} from truth_payloads p
    where p.tenant = truth_observations.tenant and p.payload_id = truth_observations.source_id)`;

/**
 * Submissions, the time for which a statement holds, retractions, and when each schema was active. Each payload becomes
 * one submission. Stored states count as outdated, so that they are reduced again with the new rules.
 */
export const truthTimes: Migration = {
  id: 13,
  name: 'truth-times',
  tenantTables: ['truth_submissions', 'truth_retractions', 'truth_schema_activations'],
  hashedTables: [observations, states, submissions, retractions, activations],
  up: (d) => [
    // The newest change of a tenant: recording times never run backwards.
    `alter table audit_heads add column at ${d.integer} not null default 0`,
    `update audit_heads set at = coalesce((select max(c.at) from changes c where c.tenant = audit_heads.tenant), 0)`,
    // The body is null if it equals that of the payload; it is the last column, so that a lookup stops before it.
    `create table truth_submissions (
      tenant ${d.text} not null, submission_id ${d.text} not null, payload_id ${d.text} not null,
      source_key ${d.text} not null, extracted_at ${d.integer} not null, effective ${d.text} not null,
      agent_id ${d.text}, extractor_version ${d.text} not null, client_request_id ${d.text}, actor ${d.text} not null,
      source_refs ${d.text} not null, created_at ${d.integer} not null, body ${d.text},
      primary key (tenant, submission_id)
    ) ${d.clustered}`,
    `insert into truth_submissions (tenant, submission_id, payload_id, source_key, extracted_at, effective, agent_id,
      extractor_version, client_request_id, actor, source_refs, created_at)
    select tenant, submission_id, payload_id, content_id, extracted_at, '{}', agent_id, extractor_version,
      client_request_id, '', source_refs, created_at from truth_payloads`,
    ...addRowHash(d, submissions),
    'create index truth_submissions_of_payload on truth_submissions (tenant, payload_id, created_at)',
    `create table truth_retractions (
      tenant ${d.text} not null, target_id ${d.text} not null, reason ${d.text}, actor ${d.text} not null,
      created_at ${d.integer} not null, row_hash ${d.text},
      primary key (tenant, target_id)
    ) ${d.clustered}`,
    `alter table truth_observations add column submission_id ${d.text} not null default ''`,
    `alter table truth_observations add column effective_at ${d.integer} not null default 0`,
    `alter table truth_observations add column effective_until ${d.integer}`,
    `alter table truth_observations add column retracted_at ${d.integer}`,
    `alter table truth_observations add column origin ${d.text} not null default ''`,
    // JSON: fields that end, the stated precision of the times, `until_newer` of a correction.
    `alter table truth_observations add column details ${d.text} not null default '{}'`,
    `update truth_observations set
      submission_id = coalesce(${ofPayload('p.submission_id')}, source_id),
      origin = coalesce(${ofPayload(originOf(d))}, source_id),
      effective_at = case when source_kind = 'correction' or observed_at < created_at then observed_at else created_at end`,
    setRowHash(d, observations),
    `alter table truth_entities add column next_change_at ${d.integer}`,
    'update truth_entities set next_change_at = 0',
    setRowHash(d, states),
    // Entities whose stored state is outdated, or will be.
    'create index truth_entities_due on truth_entities (tenant, next_change_at) where next_change_at is not null',
    `create table truth_schema_activations (
      tenant ${d.text} not null, entity_type ${d.text} not null, from_at ${d.integer} not null,
      version ${d.text} not null, until_at ${d.integer},
      primary key (tenant, entity_type, from_at)
    ) ${d.clustered}`,
    `insert into truth_schema_activations (tenant, entity_type, from_at, version, until_at)
    select tenant, entity_type, coalesce(activated_at, created_at), version, null from truth_schemas where is_active = 1`,
    // Before that, and until now for the other types, the first built-in version was active.
    `insert into truth_schema_activations (tenant, entity_type, from_at, version, until_at)
    select t.tenant, t.key, 0, '1.0',
      coalesce((select a.from_at from truth_schema_activations a
        where a.tenant = t.tenant and a.entity_type = t.key and a.until_at is null), ${d.now})
    from truth_totals t where t.kind = 'entities'
      and not exists (select 1 from truth_schema_activations a
        where a.tenant = t.tenant and a.entity_type = t.key and a.from_at = 0)`,
    ...addRowHash(d, activations),
  ],
};
