import fs from 'node:fs';
import type { Knex } from 'knex';

// Every file of this folder but this one, by name. A migration is known by its name without the ending, so that it is the
// same one in the sources and in what they are compiled to.
export const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: async () => {
    const names = fs.readdirSync(__dirname).flatMap((file) => /^(\d.*)\.[jt]s$/.exec(file)?.[1] ?? []);
    return names.sort();
  },
  getMigrationName: (name) => name,
  getMigration: async (name) => require(`./${name}`) as Knex.Migration,
};
