import { Conflict, GeneralError } from '@feathersjs/errors';
import { MongoServerError } from 'mongodb';
import type { HookContext } from '../declarations';
import { logger } from '../logger';

const duplicateKey = 11000;

// The driver's own errors carry MongoDB's code, which is no status of HTTP. What the server said never leaves it.
export const databaseErrors = (context: HookContext) => {
  const { error } = context;

  if (!(error instanceof MongoServerError)) return;
  if (error.code === duplicateKey) context.error = new Conflict('The value is already taken');
  else {
    logger.error(`${context.path}.${context.method}: ${error.message}`);
    context.error = new GeneralError('The database failed');
  }
};
