import { MethodNotAllowed } from '@feathersjs/errors';
import type { HookContext } from '../declarations';

// Calls from inside the application have no provider.
export const disallow = (what: 'all' | 'external') => (context: HookContext) => {
  const isExternal = Boolean(context.params.provider);
  if (what === 'all' || isExternal) throw new MethodNotAllowed(`${context.path}.${context.method}`);
};
