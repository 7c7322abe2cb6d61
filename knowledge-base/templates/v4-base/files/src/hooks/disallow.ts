import { MethodNotAllowed } from '@feathersjs/errors';
import type { HookContext } from '../declarations';

// A method for the application itself: calls from inside have no provider.
export const disallow = (context: HookContext) => {
  if (context.params.provider) throw new MethodNotAllowed(`${context.path}.${context.method}`);
};
