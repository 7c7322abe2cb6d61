import type { Settings } from '#config/settings.ts';
import { type CodeFlow, createCodeFlow } from '#kernel/access/code-flow.ts';
import type { OAuthSettings } from '#kernel/access/jwt.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import type { Log } from '#kernel/log/log.ts';
import { openOutbound } from './open-outbound.ts';

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

/** Undefined if this server is not a client of the authorization server. */
export function oauthCodeFlow(settings: Settings, { clock, log }: { clock: Clock; log: Log }): CodeFlow | undefined {
  const oauth = oauthSettings(settings);
  const { oauthClientId: clientId, oauthClientSecret: clientSecret } = settings;
  if (oauth === undefined || clientId === undefined) return undefined;
  return createCodeFlow({
    oauth,
    client: { clientId, clientSecret },
    clock,
    log,
    openOutbound: () => openOutbound(oauth.issuer),
  });
}
