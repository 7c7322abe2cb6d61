import { Conflict, GeneralError } from '@feathersjs/errors';
import { MongoServerError } from 'mongodb';
import type { HookContext } from '../declarations';

const duplicateKey = 11000;

// The driver's own errors carry MongoDB's code, which is no status of HTTP. What the server said never leaves it.
export const databaseErrors = (context: HookContext) => {
  const { error } = context;

  if (!(error instanceof MongoServerError)) return;
  context.error =
    error.code === duplicateKey ? new Conflict('The value is already taken') : new GeneralError('The database failed');
};
