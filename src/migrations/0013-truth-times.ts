import type { Ddl, Migration } from '#kernel/storage/migration.ts';
import { addRowHash, type HashedTable, rowHashSql } from '#kernel/storage/row-hash.ts';
import { rowHashes } from './0011-row-hashes.ts';

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

/** Values of the new columns, with `p` as the payload of the observation; other sources have none. */
const observed = (d: Ddl): Readonly<Record<string, string>> => ({
  submission_id: 'coalesce(p.submission_id, truth_observations.source_id)',
  // Without references, the origin of a payload is its agent or its extractor.
  origin: `case when p.payload_id is null then truth_observations.source_id else substr(${d.sha256Of(
    `case when p.source_refs <> '[]' then p.source_refs else coalesce(p.agent_id, p.extractor_version) end`,
  )}, 1, 12) end`,
  effective_at: `case when source_kind = 'correction' or observed_at < truth_observations.created_at then observed_at
    else truth_observations.created_at end`,
});

const hashedBefore = (name: string): HashedTable =>
  rowHashes.hashedTables!.find(({ table, hash }) => table === name && hash === undefined)!;

/**
 * One statement for the columns and their hash: each pass over the largest table takes long. A row that is damaged
 * already keeps its old hash, which does not match: a new one would hide the damage.
 */
function setObserved(d: Ddl): string {
  const values = observed(d);
  // Columns that payloads have too.
  const shared = ['entity_id', 'created_at', 'row_hash'];
  const own: Readonly<Record<string, string>> = Object.fromEntries(
    shared.map((name) => [name, `truth_observations.${name}`] as const),
  );
  const isIntact = `${own['row_hash']} = ${rowHashSql(d, hashedBefore('truth_observations'), own)}`;
  const hash = rowHashSql(d, observations, { ...own, ...values });
  return `update truth_observations set (${Object.keys(values).join(', ')}, row_hash) = (
    select ${Object.values(values).join(', ')}, case when ${isIntact} then ${hash} else ${own['row_hash']} end
    from (select 1 as one) as once left join truth_payloads p
      on p.tenant = truth_observations.tenant and p.payload_id = truth_observations.source_id)`;
}

/** The first submission of each payload. That of a damaged payload gets no hash, so it counts as damaged too. */
function insertSubmissions(d: Ddl): string {
  const values: Readonly<Record<string, string>> = {
    ...{ submission_id: 'submission_id', payload_id: 'payload_id', source_key: 'content_id' },
    ...{
      extracted_at: 'extracted_at',
      effective: `'{}'`,
      agent_id: 'agent_id',
      extractor_version: 'extractor_version',
    },
    ...{ client_request_id: 'client_request_id', actor: `''`, source_refs: 'source_refs', created_at: 'created_at' },
  };
  const isIntact = `row_hash = ${rowHashSql(d, hashedBefore('truth_payloads'))}`;
  const hash = rowHashSql(d, submissions, { ...values, body: 'null' });
  return `insert into truth_submissions (tenant, ${Object.keys(values).join(', ')}, row_hash)
    select tenant, ${Object.values(values).join(', ')}, case when ${isIntact} then ${hash} end from truth_payloads`;
}

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
      source_refs ${d.text} not null, created_at ${d.integer} not null, body ${d.text}, row_hash ${d.text},
      primary key (tenant, submission_id)
    ) ${d.clustered}`,
    insertSubmissions(d),
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
    setObserved(d),
    `alter table truth_entities add column next_change_at ${d.integer}`,
    `update truth_entities set next_change_at = 0, state_hash = ${rowHashSql(d, states, { next_change_at: '0' })}`,
    // Entities whose stored state is outdated, or will be.
    'create index truth_entities_due on truth_entities (tenant, next_change_at) where next_change_at is not null',
    `create table truth_schema_activations (
      tenant ${d.text} not null, entity_type ${d.text} not null, from_at ${d.integer} not null,
      version ${d.text} not null, until_at ${d.integer},
      primary key (tenant, entity_type, from_at)
    ) ${d.clustered}`,
    // One of several versions that were active one after the other ends when the next one begins.
    `insert into truth_schema_activations (tenant, entity_type, from_at, version, until_at)
    select s.tenant, s.entity_type, coalesce(s.activated_at, s.created_at), s.version,
      case when s.is_active = 1 then null else coalesce((select min(n.activated_at) from truth_schemas n
        where n.tenant = s.tenant and n.entity_type = s.entity_type and n.activated_at > s.activated_at), ${d.now}) end
    from truth_schemas s where s.is_active = 1 or s.activated_at is not null and not exists (
      select 1 from truth_schemas n where n.tenant = s.tenant and n.entity_type = s.entity_type
        and n.version <> s.version and (n.activated_at = s.activated_at and n.version > s.version
          or n.is_active = 1 and coalesce(n.activated_at, n.created_at) <= s.activated_at))`,
    // Before that, and until now for the other types, the first built-in version was active.
    `insert into truth_schema_activations (tenant, entity_type, from_at, version, until_at)
    select t.tenant, t.entity_type, 0, '1.0', coalesce((select min(a.from_at) from truth_schema_activations a
      where a.tenant = t.tenant and a.entity_type = t.entity_type), ${d.now})
    from (select distinct tenant, entity_type from truth_entities) t
    where not exists (select 1 from truth_schema_activations a
      where a.tenant = t.tenant and a.entity_type = t.entity_type and a.from_at = 0)`,
    ...addRowHash(d, activations),
  ],
};
