import { AuthenticationService, JWTStrategy } from '@feathersjs/authentication';
import { LocalStrategy } from '@feathersjs/authentication-local';
import { oauth, OAuthStrategy } from '@feathersjs/authentication-oauth';
import type { OAuthProfile } from '@feathersjs/authentication-oauth';
import { ownSecret } from './authentication-secret.js';
import type { Application } from './declarations.js';

declare module './declarations.js' {
  interface ServiceTypes {
    authentication: AuthenticationService;
  }
}

// Any provider: who logs in by it is known by its name and the id that it gives, `github:1234`.
export class ProviderStrategy extends OAuthStrategy {
  async getEntityQuery(profile: OAuthProfile) {
    return { oauthId: `${this.name}:${profile.id ?? profile.sub}`, $limit: 1 };
  }

  async getEntityData(profile: OAuthProfile) {
    return { oauthId: `${this.name}:${profile.id ?? profile.sub}`, email: profile.email };
  }
}

// What stands beside the providers in the settings of OAuth.
const notProviders = ['redirect', 'origins', 'defaults'];

export const authentication = (app: Application) => {
  const settings = app.get('authentication');
  app.set('authentication', { ...settings, secret: settings.secret ?? ownSecret() });

  const service = new AuthenticationService(app);

  service.register('jwt', new JWTStrategy());
  service.register('local', new LocalStrategy());
  for (const name of Object.keys(settings.oauth ?? {})) {
    if (!notProviders.includes(name)) service.register(name, new ProviderStrategy());
  }

  app.use('authentication', service);
  app.configure(oauth());
};
