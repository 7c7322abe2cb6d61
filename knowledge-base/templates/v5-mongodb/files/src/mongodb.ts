import { MongoClient } from 'mongodb';
import type { Db } from 'mongodb';
import type { Application, ApplicationHookContext, NextFunction } from './declarations.js';

declare module './declarations.js' {
  interface Configuration {
    mongodbClient: Db;
  }
}

export const mongodb = (app: Application) => {
  // Who starts the application wants to know soon that the database is not there.
  const client = new MongoClient(app.get('mongodb'), { serverSelectionTimeoutMS: 5000 });

  // The database that the connection string names.
  app.set('mongodbClient', client.db());
  app.hooks({
    setup: [
      async (_context: ApplicationHookContext, next: NextFunction) => {
        await client.connect();
        await next();
      },
    ],
    teardown: [
      async (_context: ApplicationHookContext, next: NextFunction) => {
        await next();
        await client.close();
      },
    ],
  });
};
