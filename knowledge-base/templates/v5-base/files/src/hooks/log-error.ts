import { FeathersError } from '@feathersjs/errors';
import type { HookContext, NextFunction } from '../declarations.js';
import { logger } from '../logger.js';

// What the caller did wrong is one line; what we did wrong comes with its stack.
export const logError = async (context: HookContext, next: NextFunction) => {
  try {
    await next();
  } catch (error) {
    const where = `${context.path}.${context.method}`;
    if (error instanceof FeathersError && error.code < 500) logger.info(`${where}: ${error.message}`);
    else logger.error(`${where}: ${error instanceof Error ? error.stack : error}`);
    throw error;
  }
};
