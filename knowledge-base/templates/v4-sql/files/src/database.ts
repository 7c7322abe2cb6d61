import { Service } from 'feathers-knex';
import type { KnexServiceOptions } from 'feathers-knex';
import knex from 'knex';
import type { Knex } from 'knex';
import type { Application } from './declarations';
import { migrationSource } from './migrations';

const client = (app: Application): Knex => app.get('knex');

export const database = (app: Application) => {
  app.set('knex', knex({ ...app.get('database'), migrations: { migrationSource } }));
};

// A service on a table. Its own options come over the ones that all have.
export class DatabaseService<T> extends Service<T> {
  constructor(app: Application, name: string, options: Partial<KnexServiceOptions> = {}) {
    super({ Model: client(app), name, paginate: app.get('paginate'), ...options });
  }
}

// Runs the migrations that have not run yet.
export const prepareDatabase = (app: Application) => client(app).migrate.latest();

export const closeDatabase = (app: Application) => client(app).destroy();
