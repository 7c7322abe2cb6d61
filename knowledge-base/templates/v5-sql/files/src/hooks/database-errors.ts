import { BadRequest, Conflict, GeneralError } from '@feathersjs/errors';
import { ERROR } from '@feathersjs/knex';
import type { HookContext, NextFunction } from '../declarations.js';
import { logger } from '../logger.js';

const kindOf = (code: unknown) => {
  switch (code) {
    case '23505':
    case 'SQLITE_CONSTRAINT_UNIQUE':
    case 'SQLITE_CONSTRAINT_PRIMARYKEY':
      return 'taken';
    case '23502':
    case '23503':
    case '23514':
    case 'SQLITE_CONSTRAINT_NOTNULL':
    case 'SQLITE_CONSTRAINT_FOREIGNKEY':
    case 'SQLITE_CONSTRAINT_CHECK':
      return 'refused';
    default:
      return 'unknown';
  }
};

// The columns of a unique index: "… failed: users.email" of SQLite, "Key (email)=(…) already exists." of PostgreSQL.
const takenFields = ({ message = '', detail = '' }: { message?: string; detail?: string }) => {
  const [, inSqlite = ''] = /UNIQUE constraint failed: (.*)$/.exec(message) ?? [];
  const [, inPostgres = ''] = /^Key \(([^)]*)\)=/.exec(detail) ?? [];
  const columns = (inSqlite || inPostgres).split(/[\s,"]+/).filter((column) => column !== '');
  return columns.map((column) => column.slice(column.lastIndexOf('.') + 1));
};

// Both databases answer alike: 409 for a value that is taken, 400 for one that is refused. SQL never leaves the server.
export const databaseErrors = async (context: HookContext, next: NextFunction) => {
  try {
    await next();
  } catch (error) {
    const cause = (error as { [ERROR]?: { code?: unknown; message?: string; detail?: string } })[ERROR];
    if (cause?.code === undefined) throw error;

    const kind = kindOf(cause.code);
    if (kind === 'taken') {
      const fields = takenFields(cause);
      throw new Conflict(`Already taken: ${fields.join(', ') || 'the value'}`, { fields });
    }
    if (kind === 'refused') throw new BadRequest('A value is missing or refers to nothing');
    // Knex puts the statement with its values before what the database said: those are nothing for a log.
    const [reason] = String(cause.message).split(' - ').slice(-1);
    logger.error(`${context.path}.${context.method}: ${reason}`);
    throw new GeneralError('The database failed');
  }
};
