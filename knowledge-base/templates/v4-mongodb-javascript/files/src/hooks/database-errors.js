const { Conflict, GeneralError } = require('@feathersjs/errors');
const { MongoServerError } = require('mongodb');

const duplicateKey = 11000;

// The driver's own errors carry MongoDB's code, which is no status of HTTP. What the server said never leaves it.
const databaseErrors = (context) => {
  const { error } = context;

  if (!(error instanceof MongoServerError)) return;
  context.error =
    error.code === duplicateKey ? new Conflict('The value is already taken') : new GeneralError('The database failed');
};

module.exports = { databaseErrors };
