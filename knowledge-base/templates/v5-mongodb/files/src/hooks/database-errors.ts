import { Conflict, FeathersError, GeneralError } from '@feathersjs/errors';
import type { HookContext, NextFunction } from '../declarations.js';
import { logger } from '../logger.js';

const duplicateKey = 11000;

interface DriverError {
  code?: unknown;
  keyPattern?: Record<string, unknown>;
}

// MongoDB names the fields; servers that only speak its protocol name the index, which is called after them: email_1.
const takenFields = ({ keyPattern }: DriverError, message: string) => {
  if (keyPattern) return Object.keys(keyPattern);
  const [, index = ''] = /index:? '?([^\s']+)/i.exec(message) ?? [];
  return index.split(/_-?1(?:_|$)/).filter((field) => field !== '');
};

// 409 for a value that is taken, as on the other databases. What the driver says stays on the server.
export const databaseErrors = async (context: HookContext, next: NextFunction) => {
  try {
    await next();
  } catch (error) {
    if (!(error instanceof FeathersError) || error.code !== 500) throw error;
    const data: DriverError = error.data ?? {};
    if (typeof data.code !== 'number') throw error;
    if (data.code !== duplicateKey) {
      logger.error(`${context.path}.${context.method}: ${error.message}`);
      throw new GeneralError('The database failed');
    }

    const fields = takenFields(data, error.message);
    throw new Conflict(`Already taken: ${fields.join(', ') || 'the value'}`, { fields });
  }
};
