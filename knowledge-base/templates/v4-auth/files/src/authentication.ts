import { AuthenticationService, JWTStrategy } from '@feathersjs/authentication';
import { LocalStrategy } from '@feathersjs/authentication-local';
import { expressOauth } from '@feathersjs/authentication-oauth';
import { ownSecret } from './authentication-secret';
import type { Application, ServiceOf } from './declarations';
import { providerNames, ProviderStrategy, withState } from './providers';

declare module './declarations' {
  interface ServiceTypes {
    authentication: AuthenticationService & ServiceOf<any>;
  }
}

const secretMin = 32;

export const authentication = (app: Application) => {
  const settings = app.get('authentication');
  const secret: string = settings.secret ?? ownSecret();
  if (secret.length < secretMin) throw new Error(`FEATHERS_SECRET must have at least ${secretMin} characters`);
  app.set('authentication', { ...settings, secret, oauth: settings.oauth && withState(settings.oauth) });

  const service = new AuthenticationService(app);

  service.register('jwt', new JWTStrategy());
  service.register('local', new LocalStrategy());
  for (const name of providerNames(settings.oauth)) service.register(name, new ProviderStrategy());

  app.use('/authentication', service);
  app.configure(expressOauth());
};
