import type { Migration } from '#kernel/storage/migration.ts';

/** For late interaction: the sign bits of the vectors of a document's tokens. They go away with its vectors. */
export const tokenSigns: Migration = {
  id: 34,
  name: 'token-signs',
  tenantTables: ['meaning_tokens'],
  derivedTables: ['meaning_tokens'],
  up: (d) => [
    // Apart from the vectors, which a new process reads completely.
    `create table meaning_tokens (
      tenant ${d.text} not null, collection ${d.text} not null, id ${d.text} not null, model ${d.text} not null,
      signs ${d.blob} not null,
      primary key (tenant, collection, id)
    ) ${d.table}`,
    ...d.withoutStatistics('meaning_tokens', ['signs']),
  ],
};
