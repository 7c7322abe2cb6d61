const { Service } = require('feathers-mongodb');
const { MongoClient } = require('mongodb');

// The client connects with the first command.
const database = (app) => {
  app.set('mongoClient', new MongoClient(app.get('mongodb')));
};

// A service on a collection. Its own options come over the ones that all have.
class DatabaseService extends Service {
  constructor(app, name, options = {}) {
    const Model = app.get('mongoClient').db().collection(name);
    super({ Model, paginate: app.get('paginate'), ...options });
  }
}

// Makes the indexes that are missing.
const prepareDatabase = async (app) => {
  const db = app.get('mongoClient').db();

  await db.collection('messages').createIndex({ createdAt: 1 });
  // <<indexes>>
};

const closeDatabase = (app) => app.get('mongoClient').close();

module.exports = { closeDatabase, database, DatabaseService, prepareDatabase };
