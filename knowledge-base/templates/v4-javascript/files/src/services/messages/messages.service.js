const { Messages } = require('./messages.class');
const { messagesHooks } = require('./messages.hooks');

const register = (app) => {
  app.use('/messages', new Messages(app));
  app.service('messages').hooks(messagesHooks);
};

module.exports = { register };
