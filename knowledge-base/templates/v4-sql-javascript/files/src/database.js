const { Service } = require('feathers-knex');
const knex = require('knex');
const { migrationSource } = require('./migrations');

const database = (app) => {
  app.set('knex', knex({ ...app.get('database'), migrations: { migrationSource } }));
};

// A service on a table. Its own options come over the ones that all have.
class DatabaseService extends Service {
  constructor(app, name, options = {}) {
    super({ Model: app.get('knex'), name, paginate: app.get('paginate'), ...options });
  }
}

// Runs the migrations that have not run yet.
const prepareDatabase = (app) => app.get('knex').migrate.latest();

const closeDatabase = (app) => app.get('knex').destroy();

module.exports = { closeDatabase, database, DatabaseService, prepareDatabase };
