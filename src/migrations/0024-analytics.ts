import type { Migration } from '#kernel/storage/migration.ts';

/**
 * Who used the program on which day, and for what. Actors are keyed hashes. The key is that of this deployment, so the
 * rows have no meaning elsewhere.
 */
export const analyticsTables: Migration = {
  id: 24,
  name: 'analytics',
  tenantTables: ['analytics_users', 'analytics_days'],
  privateTables: ['analytics_users', 'analytics_days'],
  up: (d) => [
    `create table analytics_users (
      tenant ${d.text} not null, actor ${d.text} not null, first_day ${d.integer} not null,
      first_at ${d.integer} not null, last_day ${d.integer} not null,
      primary key (tenant, actor)
    ) ${d.clustered}`,
    'create index analytics_users_by_day on analytics_users (tenant, first_day, actor)',
    'create index analytics_users_by_use on analytics_users (tenant, last_day)',
    // Days since 1970, in UTC. first_at: the first event of this kind on this day.
    `create table analytics_days (
      tenant ${d.text} not null, actor ${d.text} not null, day ${d.integer} not null, kind ${d.text} not null,
      events_count ${d.integer} not null, first_at ${d.integer} not null,
      primary key (tenant, actor, day, kind)
    ) ${d.clustered}`,
    'create index analytics_days_by_day on analytics_days (tenant, day, kind, actor)',
  ],
};
