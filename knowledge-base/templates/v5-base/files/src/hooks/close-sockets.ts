import type { ApplicationHookContext, NextFunction } from '../declarations.js';

// An open socket would keep the server from closing for ever.
export const closeSockets = async ({ app }: ApplicationHookContext, next: NextFunction) => {
  app.io?.disconnectSockets(true);
  await next();
};
