import type { Migration } from '#kernel/storage/migration.ts';

/** Both migrations create the same table. The slow one then runs for a long time in the same transaction. */
export const quickMigration: Migration = {
  id: 9001,
  name: 'half',
  tenantTables: [],
  up: (d) => [`create table half (id ${d.integer}) ${d.table}`],
};

export const slowMigration = (dialect: 'sqlite' | 'postgres'): Migration => ({
  ...quickMigration,
  up: (d) => [
    ...quickMigration.up(d),
    dialect === 'postgres'
      ? 'insert into half select 1 from pg_sleep(1)'
      : `insert into half
         with recursive c(n) as (select 1 union all select n + 1 from c where n < 1000000000) select count(*) from c`,
  ],
});
