const { authenticate } = require('@feathersjs/authentication').hooks;
const { hashPassword, protect } = require('@feathersjs/authentication-local').hooks;
const { disallow } = require('../../hooks/disallow');
const { checkUser } = require('./check-user');

// From outside a user reaches only itself: another one is not there.
const onlySelf = (context) => {
  const { provider, query, user } = context.params;
  if (!provider) return;
  const { id } = context.service;
  context.params.query = { ...query, [id]: user[id] };
};

const usersHooks = {
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

module.exports = { usersHooks };
