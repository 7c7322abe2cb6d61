import { BadRequest, Conflict, GeneralError } from '@feathersjs/errors';
import * as feathersKnex from 'feathers-knex';
import type { HookContext } from '../declarations';
import { logger } from '../logger';

// Under this symbol feathers-knex keeps what the database said.
const { ERROR } = feathersKnex as unknown as { ERROR: symbol };

const taken = ['23505', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'];
// A value is missing, of the wrong kind or refers to nothing.
const refused = /^(22...|2350[23]|23514|SQLITE_CONSTRAINT_.*|SQLITE_MISMATCH)$/;

// Every database answers alike: 409 for a value that is taken, 400 for one that is refused. SQL never leaves the server.
export const databaseErrors = (context: HookContext) => {
  const cause = context.error[ERROR];

  if (typeof cause?.code !== 'string') return;
  if (taken.includes(cause.code)) context.error = new Conflict('The value is already taken');
  else if (refused.test(cause.code)) context.error = new BadRequest('The database refused the data');
  else {
    // Knex puts the statement with its values before what the database said: those are nothing for a log.
    const [reason] = String(cause.message).split(' - ').slice(-1);
    logger.error(`${context.path}.${context.method}: ${reason}`);
    context.error = new GeneralError('The database failed');
  }
};
