import { Service } from 'feathers-mongodb';
import type { MongoDBServiceOptions } from 'feathers-mongodb';
import { MongoClient } from 'mongodb';
import type { Application } from './declarations';

const client = (app: Application): MongoClient => app.get('mongoClient');

// The client connects with the first command. Who starts the application wants to know soon that the database is not there.
export const database = (app: Application) => {
  app.set('mongoClient', new MongoClient(app.get('mongodb'), { serverSelectionTimeoutMS: 5000 }));
};

// A service on a collection. Its own options come over the ones that all have.
export class DatabaseService<T> extends Service<T> {
  constructor(app: Application, name: string, options: Partial<MongoDBServiceOptions> = {}) {
    super({ Model: client(app).db().collection(name), paginate: app.get('paginate'), ...options });
  }
}

// Makes the indexes that are missing.
export const prepareDatabase = async (app: Application) => {
  const db = client(app).db();

  await db.collection('messages').createIndex({ createdAt: 1 });
  // <<indexes>>
};

export const closeDatabase = (app: Application) => client(app).close();
