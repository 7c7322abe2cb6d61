import { AuthenticationService, JWTStrategy } from '@feathersjs/authentication';
import { LocalStrategy } from '@feathersjs/authentication-local';
import { oauth } from '@feathersjs/authentication-oauth';
import { ownSecret } from './authentication-secret.js';
import type { Application } from './declarations.js';
import { providerNames, ProviderStrategy, withState } from './providers.js';

declare module './declarations.js' {
  interface ServiceTypes {
    authentication: AuthenticationService;
  }
}

export const authentication = (app: Application) => {
  const settings = app.get('authentication');
  const secret = settings.secret ?? ownSecret();
  app.set('authentication', { ...settings, secret, oauth: settings.oauth && withState(settings.oauth) });

  const service = new AuthenticationService(app);

  service.register('jwt', new JWTStrategy());
  service.register('local', new LocalStrategy());
  for (const name of providerNames(settings.oauth)) service.register(name, new ProviderStrategy());

  app.use('authentication', service);
  app.configure(oauth());
};
