import knex from 'knex';
import type { Knex } from 'knex';
import type { Application, ApplicationHookContext, NextFunction } from './declarations.js';

declare module './declarations.js' {
  interface Configuration {
    sqliteClient: Knex;
  }
}

interface Connection {
  pragma(text: string): unknown;
}

// SQLite keeps foreign keys only where each connection asks for it.
const afterCreate = (connection: Connection, done: (error: unknown, connection: Connection) => void) => {
  connection.pragma('foreign_keys = ON');
  connection.pragma('journal_mode = WAL');
  done(null, connection);
};

export const sqlite = (app: Application) => {
  const client = knex({ ...app.get('sqlite'), pool: { afterCreate } });

  app.set('sqliteClient', client);
  app.hooks({
    teardown: [
      async (_context: ApplicationHookContext, next: NextFunction) => {
        await next();
        await client.destroy();
      },
    ],
  });
};
