import type { Migration } from '#kernel/storage/migration.ts';

/**
 * How often rules were served, in all and per day and caller, and the newest signals and comments about them. The last
 * signal and comment of each rule were kept before, without their author.
 */
export const servedRules: Migration = {
  id: 21,
  name: 'served-rules',
  tenantTables: ['served_rules', 'served_days', 'usage_remarks'],
  up: (d) => [
    `create table served_rules (
      tenant ${d.text} not null, id ${d.text} not null, applies_count ${d.integer} not null,
      may_apply_count ${d.integer} not null, first_at ${d.integer} not null, last_at ${d.integer} not null,
      primary key (tenant, id)
    ) ${d.table}`,
    `create table served_days (
      tenant ${d.text} not null, day ${d.integer} not null, id ${d.text} not null, actor ${d.text} not null,
      workspace ${d.text} not null, applies_count ${d.integer} not null, may_apply_count ${d.integer} not null,
      last_at ${d.integer} not null,
      primary key (tenant, day, id, actor, workspace)
    ) ${d.clustered}`,
    'create index served_days_by_rule on served_days (tenant, id, last_at)',
    `create table usage_remarks (
      tenant ${d.text} not null, id ${d.text} not null, number ${d.integer} not null, at ${d.integer} not null,
      actor ${d.text} not null, signal ${d.text}, comment ${d.text}, source_hash ${d.text},
      primary key (tenant, id, number)
    ) ${d.clustered}`,
    'create index usage_remarks_by_signal on usage_remarks (tenant, signal, id)',
    'create index usage_remarks_by_time on usage_remarks (tenant, at)',
    `insert into usage_remarks (tenant, id, number, at, actor, signal, comment, source_hash)
      select tenant, id, 1, last_used_at, '', last_signal, last_comment, null from usage
      where last_signal is not null or last_comment is not null`,
  ],
};
