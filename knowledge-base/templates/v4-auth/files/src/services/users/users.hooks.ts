import * as authentication from '@feathersjs/authentication';
import * as local from '@feathersjs/authentication-local';
import type { HookContext } from '../../declarations';
import { disallow } from '../../hooks/disallow';
import { checkUser } from './check-user';

const { authenticate } = authentication.hooks;
const { hashPassword, protect } = local.hooks;

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
    update: [disallow],
    patch: [authenticate('jwt'), onlySelf, checkUser, hashPassword('password')],
    remove: [authenticate('jwt'), onlySelf],
  },
  after: {
    // The last one: what goes out has neither of them.
    all: [protect('password', 'oauthId')],
  },
};
