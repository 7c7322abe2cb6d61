const { addTime, checkMessage } = require('./check-message');

const messagesHooks = {
  before: {
    create: [checkMessage, addTime],
    update: [checkMessage],
    patch: [checkMessage],
  },
};

module.exports = { messagesHooks };
