import type { OAuthSettings } from './jwt.ts';
import { allScopes } from './tenants-and-scopes.ts';

export const metadataPath = '/.well-known/oauth-protected-resource';

export const scopeNames = (settings: OAuthSettings): readonly string[] =>
  allScopes.map((scope) => `${settings.scopePrefix ?? ''}${scope}`);

/** The URL of the protected resource: from the settings, else /mcp where the client reached us. */
const resourceUrl = (settings: OAuthSettings, origin: string): string => settings.resource ?? `${origin}/mcp`;

/** RFC 9728, section 2. */
export const toResourceMetadata = (settings: OAuthSettings, origin: string): object => ({
  resource: resourceUrl(settings, origin),
  authorization_servers: [settings.issuer],
  scopes_supported: scopeNames(settings),
  bearer_methods_supported: ['header'],
  resource_name: 'Fourfold',
});

/** RFC 9728, section 3.1: the well-known path goes between the host and the path of the resource. */
export function metadataUrl(settings: OAuthSettings, origin: string): string {
  const { origin: publicOrigin, pathname } = new URL(resourceUrl(settings, origin));
  return `${publicOrigin}${metadataPath}${pathname === '/' ? '' : pathname}`;
}

/** RFC 6750, section 3: a request without a credential gets no error code, only the scheme. */
export function toChallenge(
  settings: OAuthSettings | undefined,
  origin: string,
  error?: { readonly code: 'invalid_token' | 'insufficient_scope'; readonly message: string },
): string {
  const parts = ['Bearer realm="fourfold"'];
  if (error !== undefined) {
    parts.push(
      `error="${error.code}"`,
      `error_description="${error.message.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '')}"`,
    );
  }
  if (settings !== undefined) {
    if (error?.code === 'insufficient_scope') parts.push(`scope="${scopeNames(settings)[0]}"`);
    parts.push(`resource_metadata="${metadataUrl(settings, origin)}"`);
  }
  return parts.join(', ');
}
