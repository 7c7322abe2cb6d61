import fs from 'node:fs';
import type { Knex } from 'knex';

// Every file of this folder but this one, by name. A migration is known by its name without the ending, compiled or not.
export const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: async () => {
    const names = fs.readdirSync(__dirname).flatMap((file) => /^(\d.*)\.[jt]s$/.exec(file)?.[1] ?? []);
    return names.toSorted();
  },
  getMigrationName: (name) => name,
  getMigration: async (name) => require(`./${name}`) as Knex.Migration,
};
