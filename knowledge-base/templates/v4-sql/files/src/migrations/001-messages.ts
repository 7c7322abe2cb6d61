import type { Knex } from 'knex';

export const up = (knex: Knex) =>
  knex.schema.createTable('messages', (table) => {
    table.increments('id');
    table.string('text', 400).notNullable();
    // Milliseconds. A bigint would come back from PostgreSQL as text.
    table.double('createdAt').notNullable();
  });

export const down = (knex: Knex) => knex.schema.dropTable('messages');
