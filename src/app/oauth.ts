import type { Settings } from '#config/settings.ts';
import type { OAuthSettings } from '#kernel/access/jwt.ts';

/** The public address of /mcp. */
const resourceOf = (settings: Settings): string =>
  settings.oauthResource ?? `http://${settings.host}:${settings.port}/mcp`;

const keysOf = (issuer: string): string => `${issuer.replace(/\/$/, '')}/.well-known/jwks.json`;

/** Undefined if the settings name no authorization server. */
export function oauthSettings(settings: Settings): OAuthSettings | undefined {
  const { oauthIssuer: issuer, oauthScopePrefix: scopePrefix } = settings;
  if (issuer === undefined) return undefined;
  const resource = resourceOf(settings);
  return {
    issuer,
    audience: settings.oauthAudience ?? resource,
    jwksUrl: settings.oauthJwksUrl ?? keysOf(issuer),
    tenantClaim: settings.oauthTenantClaim,
    scopeClaim: settings.oauthScopeClaim,
    ...(scopePrefix === undefined ? {} : { scopePrefix }),
    resource,
  };
}
