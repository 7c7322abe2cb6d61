import type { Knex } from 'knex';

export const up = async (knex: Knex) => {
  await knex.schema.createTable('users', (table) => {
    table.increments('id');
    table.string('email').notNullable().unique();
    // Null for those who log in by a provider.
    table.string('password');
    table.string('oauthId').unique();
  });
  await knex.schema.alterTable('messages', (table) => {
    table.string('userId');
  });
};

export const down = async (knex: Knex) => {
  await knex.schema.alterTable('messages', (table) => {
    table.dropColumn('userId');
  });
  await knex.schema.dropTable('users');
};
