import type { Knex } from 'knex';

export async function up(knex: Knex) {
  await knex.schema.createTable('users', (table) => {
    table.increments('id');
    table.string('email').notNullable().unique();
    // Null for those who log in by a provider.
    table.string('password');
    table.string('oauthId').unique();
  });
}

export async function down(knex: Knex) {
  await knex.schema.dropTable('users');
}
