import { hooks } from '@feathersjs/authentication';
import { hooks as localHooks } from '@feathersjs/authentication-local';
import type { HookContext } from '../../declarations';
import { disallow } from '../../hooks/disallow';
import { checkUser } from './check-user';

const { authenticate } = hooks;
const { hashPassword, protect } = localHooks;

// From outside a user reaches only itself: another one is not there.
const onlySelf = (context: HookContext) => {
  const { provider, query, user } = context.params;
  if (!provider) return;
  const { id } = context.service;
  context.params.query = { ...query, [id]: user?.[id] };
};

export const usersHooks = {
  before: {
    find: [authenticate('jwt'), onlySelf],
    get: [authenticate('jwt'), onlySelf],
    create: [checkUser, hashPassword('password')],
    update: [disallow('external')],
    patch: [authenticate('jwt'), onlySelf, checkUser, hashPassword('password')],
    remove: [authenticate('jwt'), onlySelf],
  },
  after: {
    // The last one: what goes out never has a password.
    all: [protect('password')],
  },
};
