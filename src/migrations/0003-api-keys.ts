import type { Migration } from '#kernel/storage/migration.ts';

/** API keys. Only an HMAC of each secret is stored, so that the store alone gives no access. */
export const apiKeyTables: Migration = {
  id: 3,
  name: 'api-keys',
  tenantTables: ['api_keys'],
  privateTables: ['api_keys'],
  up: (d) => [
    `create table api_keys (
      tenant ${d.text} not null, id ${d.text} not null, name ${d.text} not null, scopes ${d.text} not null,
      mac ${d.text} not null, created_at ${d.integer} not null, expires_at ${d.integer}, revoked_at ${d.integer},
      primary key (tenant, id)
    ) ${d.table}`,
  ],
};
