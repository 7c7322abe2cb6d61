import type { Migration } from '#kernel/storage/migration.ts';

/** Usage counters of instructions and feedback about the server, with the indexes for their lists. */
export const usageFeedbackTables: Migration = {
  id: 5,
  name: 'usage-feedback',
  tenantTables: ['usage', 'feedback', 'feedback_tags', 'feedback_totals'],
  up: (d) => [
    `create table usage (
      tenant ${d.text} not null, id ${d.text} not null, usage_count ${d.integer} not null,
      first_seen_at ${d.integer} not null, last_used_at ${d.integer} not null,
      last_action ${d.text}, last_signal ${d.text}, last_comment ${d.text},
      helpful_count ${d.integer} not null, not_relevant_count ${d.integer} not null,
      outdated_count ${d.integer} not null, applied_count ${d.integer} not null,
      success_count ${d.integer} not null, failure_count ${d.integer} not null,
      execution_ms ${d.real} not null, last_error_code ${d.text},
      window_s ${d.integer} not null, window_count ${d.integer} not null,
      primary key (tenant, id)
    ) ${d.table}`,
    'create index usage_by_count on usage (tenant, usage_count desc, last_used_at desc, id)',
    `create table feedback (
      tenant ${d.text} not null, id ${d.text} not null, type ${d.text} not null, severity ${d.text} not null,
      status ${d.text} not null, title ${d.text} not null, description ${d.text} not null, context ${d.text},
      tags ${d.text}, admin_notes ${d.text}, created_at ${d.integer} not null, updated_at ${d.integer},
      primary key (tenant, id)
    ) ${d.table}`,
    'create index feedback_by_age on feedback (tenant, created_at, id)',
    'create index feedback_by_type on feedback (tenant, type, created_at, id)',
    'create index feedback_by_severity on feedback (tenant, severity, created_at, id)',
    'create index feedback_by_status on feedback (tenant, status, created_at, id)',
    `create table feedback_tags (
      tenant ${d.text} not null, tag ${d.text} not null, feedback_id ${d.text} not null,
      primary key (tenant, tag, feedback_id)
    ) ${d.table}`,
    'create index feedback_tags_by_entry on feedback_tags (tenant, feedback_id)',
    `create table feedback_totals (
      tenant ${d.text} not null primary key, entries_count ${d.integer} not null, bytes ${d.integer} not null,
      updated_at ${d.integer} not null
    ) ${d.table}`,
  ],
};
