const { Users } = require('./users.class');
const { usersHooks } = require('./users.hooks');

const register = (app) => {
  app.use('/users', new Users(app));
  app.service('users').hooks(usersHooks);
};

module.exports = { register };
