exports.up = (knex) =>
  knex.schema.createTable('messages', (table) => {
    table.increments('id');
    table.string('text', 400).notNullable();
    table.bigInteger('createdAt').notNullable();
  });

exports.down = (knex) => knex.schema.dropTable('messages');
