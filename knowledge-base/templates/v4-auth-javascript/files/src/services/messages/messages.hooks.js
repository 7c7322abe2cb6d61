const { authenticate } = require('@feathersjs/authentication').hooks;
const { addTime, checkMessage } = require('./check-message');

// Calls from inside the application have no user.
const addUser = (context) => {
  const { user } = context.params;
  const id = user?.[context.app.service('users').id];
  context.data = { ...context.data, userId: id === undefined ? null : String(id) };
};

// A message is changed and removed by whoever wrote it: for others it is not there.
const onlyOwn = (context) => {
  const { provider, query, user } = context.params;
  if (!provider) return;
  context.params.query = { ...query, userId: String(user[context.app.service('users').id]) };
};

const messagesHooks = {
  before: {
    all: [authenticate('jwt')],
    create: [checkMessage, addTime, addUser],
    update: [onlyOwn, checkMessage],
    patch: [onlyOwn, checkMessage],
    remove: [onlyOwn],
  },
};

module.exports = { messagesHooks };
