import type { HookContext } from '../declarations';
import { logger } from '../logger';

// What the caller did wrong is one line; what we did wrong comes with its stack.
export const logError = (context: HookContext) => {
  const { error, path, method } = context;

  if (error.code < 500) logger.info(`${path}.${method}: ${error.message}`);
  else logger.error(`${path}.${method}: ${error.stack}`);
};
