import { OAuthStrategy } from '@feathersjs/authentication-oauth';
import type { OAuthProfile } from '@feathersjs/authentication-oauth';
import { NotAuthenticated } from '@feathersjs/errors';

// Any provider: who logs in by it is known by its name and the id that it gives, `github:1234`.
export class ProviderStrategy extends OAuthStrategy {
  oauthId({ id, sub }: OAuthProfile) {
    const own = id ?? sub;
    // All whom it does not name would be one user.
    if (!own) throw new NotAuthenticated(`${this.name} does not say who this is`);
    return `${this.name}:${own}`;
  }

  async getEntityQuery(profile: OAuthProfile) {
    return { oauthId: this.oauthId(profile), $limit: 1 };
  }

  // Who is there already keeps the email.
  async getEntityData(profile: OAuthProfile, user: unknown) {
    const oauthId = this.oauthId(profile);
    return user ? { oauthId } : { oauthId, email: profile.email };
  }
}

// What stands beside the providers in the settings of OAuth.
const notProviders = ['redirect', 'origins', 'defaults'];

export const providerNames = (oauth: object = {}) => Object.keys(oauth).filter((name) => !notProviders.includes(name));

// What comes back from a provider counts only for a login that began here, in the same browser.
export const withState = (oauth: Record<string, unknown>) => ({
  ...oauth,
  defaults: { state: true, ...(oauth.defaults as object) },
});
