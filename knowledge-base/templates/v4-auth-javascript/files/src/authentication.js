const { AuthenticationService, JWTStrategy } = require('@feathersjs/authentication');
const { LocalStrategy } = require('@feathersjs/authentication-local');

const authentication = (app) => {
  const { secret } = app.get('authentication');
  if (process.env.NODE_ENV === 'production' && secret.startsWith('for-development-only')) {
    throw new Error('Set FEATHERS_SECRET: everybody knows the secret that is in config/default.json');
  }

  const service = new AuthenticationService(app);
  service.register('jwt', new JWTStrategy());
  service.register('local', new LocalStrategy());

  app.use('/authentication', service);
};

module.exports = { authentication };
