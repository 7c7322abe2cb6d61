import * as authentication from '@feathersjs/authentication';
import type { HookContext } from '../../declarations';
import { disallow } from '../../hooks/disallow';
import { addTime, checkMessage } from './check-message';

const { authenticate } = authentication.hooks;

// Calls from inside the application have no user.
const addUser = (context: HookContext) => {
  const { user } = context.params;
  const id = user?.[context.app.service('users').id];
  context.data = { ...context.data, userId: id === undefined ? null : String(id) };
};

// A message is changed and removed by whoever wrote it: for others it is not there.
const onlyOwn = (context: HookContext) => {
  const { provider, query, user } = context.params;
  if (!provider) return;
  context.params.query = { ...query, userId: String(user?.[context.app.service('users').id]) };
};

export const messagesHooks = {
  before: {
    all: [authenticate('jwt')],
    create: [checkMessage, addTime, addUser],
    // It would take away the time and the writer.
    update: [disallow],
    patch: [onlyOwn, checkMessage],
    remove: [onlyOwn],
  },
};
