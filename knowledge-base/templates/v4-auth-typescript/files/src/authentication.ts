import { AuthenticationService, JWTStrategy } from '@feathersjs/authentication';
import { LocalStrategy } from '@feathersjs/authentication-local';
import type { Application, ServiceOf } from './declarations';

declare module './declarations' {
  interface ServiceTypes {
    authentication: AuthenticationService & ServiceOf<any>;
  }
}

export const authentication = (app: Application) => {
  const { secret } = app.get('authentication');
  if (process.env.NODE_ENV === 'production' && secret.startsWith('for-development-only')) {
    throw new Error('Set FEATHERS_SECRET: everybody knows the secret that is in config/default.json');
  }

  const service = new AuthenticationService(app);
  service.register('jwt', new JWTStrategy());
  service.register('local', new LocalStrategy());

  app.use('/authentication', service);
};
