import type { Migration } from '#kernel/storage/migration.ts';

/** Sign-in links and browser sessions are keys of their own purpose; `parent` is the key that signed a browser in. */
export const signInColumns: Migration = {
  id: 28,
  name: 'sign-in',
  tenantTables: [],
  up: (d) => [
    `alter table api_keys add column purpose ${d.text} not null default 'key'`,
    `alter table api_keys add column parent ${d.text}`,
  ],
};
