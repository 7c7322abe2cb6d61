import knex from 'knex';
import type { Knex } from 'knex';
import type { Application, ApplicationHookContext, NextFunction } from './declarations.js';

declare module './declarations.js' {
  interface Configuration {
    postgresqlClient: Knex;
  }
}

export const postgresql = (app: Application) => {
  const client = knex({ ...app.get('postgresql') });

  app.set('postgresqlClient', client);
  app.hooks({
    teardown: [
      async (_context: ApplicationHookContext, next: NextFunction) => {
        await next();
        await client.destroy();
      },
    ],
  });
};
