exports.up = async (knex) => {
  await knex.schema.createTable('users', (table) => {
    table.increments('id');
    table.string('email').notNullable().unique();
    table.string('password').notNullable();
  });
  await knex.schema.alterTable('messages', (table) => {
    table.string('userId');
  });
};

exports.down = async (knex) => {
  await knex.schema.alterTable('messages', (table) => {
    table.dropColumn('userId');
  });
  await knex.schema.dropTable('users');
};
