import type { Migration } from '#kernel/storage/migration.ts';

/**
 * Payloads, observations and corrections are append-only. The row of an entity holds the reduced state of its
 * observations, so the most common read is one row, and adding an observation costs the same however many there are.
 */
export const truthTables: Migration = {
  id: 8,
  name: 'truth',
  // Entities after their parts: rows are imported in this order.
  tenantTables: [
    'truth_capabilities',
    'truth_schemas',
    'truth_payloads',
    'truth_corrections',
    'truth_records',
    'truth_record_properties',
    'truth_files',
    'truth_observations',
    'truth_merges',
    'truth_entities',
    'truth_identifiers',
    'truth_match_keys',
    'truth_shared_keys',
    'truth_events',
    'truth_relationships',
    'truth_totals',
  ],
  derivedTables: [
    'truth_record_properties',
    'truth_identifiers',
    'truth_match_keys',
    'truth_shared_keys',
    'truth_events',
    'truth_totals',
  ],
  up: (d) => [
    `create table truth_capabilities (
      tenant ${d.text} not null, capability_id ${d.text} not null, definition ${d.text} not null,
      created_at ${d.integer} not null,
      primary key (tenant, capability_id)
    ) ${d.clustered}`,
    // One version of each type is active. Built-in schemas have no row.
    `create table truth_schemas (
      tenant ${d.text} not null, entity_type ${d.text} not null, version ${d.text} not null, definition ${d.text} not null,
      is_active ${d.integer} not null, created_at ${d.integer} not null, activated_at ${d.integer},
      primary key (tenant, entity_type, version)
    ) ${d.clustered}`,
    // The body is the last column, so that a lookup of the source stops before it.
    `create table truth_payloads (
      tenant ${d.text} not null, payload_id ${d.text} not null, content_id ${d.text} not null,
      submission_id ${d.text} not null, capability_id ${d.text} not null, primary_type ${d.text} not null,
      entity_id ${d.text} not null, extracted_at ${d.integer} not null, extractor_version ${d.text} not null,
      agent_id ${d.text}, client_request_id ${d.text}, created_at ${d.integer} not null,
      source_refs ${d.text} not null, file_urls ${d.text} not null, body ${d.text} not null,
      primary key (tenant, payload_id)
    ) ${d.clustered}`,
    'create unique index truth_payloads_by_content on truth_payloads (tenant, content_id)',
    `create table truth_corrections (
      tenant ${d.text} not null, correction_id ${d.text} not null, entity_id ${d.text} not null, reason ${d.text},
      actor ${d.text} not null, created_at ${d.integer} not null,
      primary key (tenant, correction_id)
    ) ${d.clustered}`,
    `create table truth_records (
      tenant ${d.text} not null, record_id ${d.text} not null, type ${d.text} not null,
      created_at ${d.integer} not null, updated_at ${d.integer} not null,
      file_urls ${d.text} not null, embedding ${d.blob}, properties ${d.text} not null,
      primary key (tenant, record_id)
    ) ${d.clustered}`,
    'create index truth_records_by_type on truth_records (tenant, type, created_at, record_id)',
    'create index truth_records_by_age on truth_records (tenant, created_at, record_id)',
    // Hash of the name and value of a top-level property, for filters.
    `create table truth_record_properties (
      tenant ${d.text} not null, property ${d.text} not null, record_id ${d.text} not null,
      primary key (tenant, property, record_id)
    ) ${d.clustered}`,
    `create table truth_files (
      tenant ${d.text} not null, bucket ${d.text} not null, sha256 ${d.text} not null, bytes ${d.integer} not null,
      content_type ${d.text} not null, file_name ${d.text} not null, record_id ${d.text}, created_at ${d.integer} not null,
      primary key (tenant, bucket, sha256)
    ) ${d.clustered}`,
    // In reading order: by entity, then by observation time. An index by id is missing on purpose: a caller that knows the
    // id also knows the time, and such an index would cost another page write per observation.
    `create table truth_observations (
      tenant ${d.text} not null, entity_id ${d.text} not null, observed_at ${d.integer} not null,
      observation_id ${d.text} not null, entity_type ${d.text} not null, schema_version ${d.text} not null,
      source_kind ${d.text} not null, source_id ${d.text} not null, role ${d.text} not null,
      specificity ${d.real} not null, priority ${d.integer} not null, created_at ${d.integer} not null,
      fields ${d.text} not null, raw_fragments ${d.text} not null,
      primary key (tenant, entity_id, observed_at, observation_id)
    ) ${d.clustered}`,
    'create index truth_observations_by_source on truth_observations (tenant, source_id, observation_id)',
    // A merge that was undone has an end. A past state counts the merges that were valid at that time.
    `create table truth_merges (
      tenant ${d.text} not null, source_entity_id ${d.text} not null, merged_at ${d.integer} not null,
      target_entity_id ${d.text} not null, actor ${d.text} not null, unmerged_at ${d.integer},
      primary key (tenant, source_entity_id, merged_at)
    ) ${d.clustered}`,
    'create index truth_merges_by_target on truth_merges (tenant, target_entity_id, merged_at)',
    // merged_into '' means none. State and counts cover the entity and everything merged into it.
    `create table truth_entities (
      tenant ${d.text} not null, entity_id ${d.text} not null, entity_type ${d.text} not null,
      canonical_name ${d.text} not null, merged_into ${d.text} not null, root_id ${d.text} not null,
      observation_count ${d.integer} not null, last_observed_at ${d.integer} not null,
      last_recorded_at ${d.integer} not null, created_at ${d.integer} not null, schema_version ${d.text} not null,
      state ${d.text} not null,
      primary key (tenant, entity_id)
    ) ${d.clustered}`,
    'create index truth_entities_by_type on truth_entities (tenant, entity_type, created_at desc, entity_id)',
    'create index truth_entities_by_age on truth_entities (tenant, created_at desc, entity_id)',
    `create index truth_entities_merged on truth_entities (tenant, merged_into, entity_id) where merged_into <> ''`,
    // The ways to look up an entity: its normalised name, and the fields that its schema declares as identifiers.
    `create table truth_identifiers (
      tenant ${d.text} not null, identifier ${d.text} not null, entity_type ${d.text} not null,
      entity_id ${d.text} not null, field ${d.text} not null,
      primary key (tenant, identifier, entity_type, entity_id, field)
    ) ${d.clustered}`,
    // Similar entities have the same key. Keys of more than one entity are also listed separately.
    `create table truth_match_keys (
      tenant ${d.text} not null, entity_type ${d.text} not null, match_key ${d.text} not null,
      entity_id ${d.text} not null,
      primary key (tenant, entity_type, match_key, entity_id)
    ) ${d.clustered}`,
    `create table truth_shared_keys (
      tenant ${d.text} not null, entity_type ${d.text} not null, match_key ${d.text} not null,
      primary key (tenant, entity_type, match_key)
    ) ${d.clustered}`,
    `create table truth_events (
      tenant ${d.text} not null, event_at ${d.integer} not null, event_id ${d.text} not null, event_type ${d.text} not null,
      entity_id ${d.text} not null, entity_type ${d.text} not null, field ${d.text} not null, value ${d.text} not null,
      source_id ${d.text} not null, observation_id ${d.text} not null, created_at ${d.integer} not null,
      primary key (tenant, event_at, event_id)
    ) ${d.clustered}`,
    'create index truth_events_by_type on truth_events (tenant, event_type, event_at desc, event_id)',
    'create index truth_events_by_source on truth_events (tenant, source_id, event_at desc, event_id)',
    // The ends as given, and the roots that they belong to now.
    `create table truth_relationships (
      tenant ${d.text} not null, relationship_id ${d.text} not null, relationship_type ${d.text} not null,
      source_entity_id ${d.text} not null, target_entity_id ${d.text} not null,
      source_root_id ${d.text} not null, target_root_id ${d.text} not null,
      created_at ${d.integer} not null, metadata ${d.text},
      primary key (tenant, relationship_id)
    ) ${d.clustered}`,
    `create index truth_relationships_out on truth_relationships
      (tenant, source_root_id, relationship_type, created_at, relationship_id)`,
    `create index truth_relationships_in on truth_relationships
      (tenant, target_root_id, relationship_type, created_at, relationship_id)`,
    // Totals per kind, so that no list has to count.
    `create table truth_totals (
      tenant ${d.text} not null, kind ${d.text} not null, key ${d.text} not null, count ${d.integer} not null,
      primary key (tenant, kind, key)
    ) ${d.clustered}`,
  ],
};
