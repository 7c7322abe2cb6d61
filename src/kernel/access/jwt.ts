import type { JWTPayload, JWTVerifyGetKey, JWTVerifyResult } from 'jose';
import { toTenantId } from '../call.ts';
import type { Clock } from '../clock/clock.ts';
import type { Fault } from '../fault/fault.ts';
import { faults } from '../fault/kernel-faults.ts';
import type { Log } from '../log/log.ts';
import { accessFaults } from './access-faults.ts';
import { accessLimits } from './access-limits.ts';
import type { TrustedCaller } from './caller-cache.ts';
import { isTenantText, toScopes } from './tenants-and-scopes.ts';

/** A public signing key of the authorization server (RFC 7517). */
interface SigningKey {
  readonly kty: string;
  readonly [member: string]: unknown;
}

/** How this server accepts an authorization server's tokens (OAuth 2.1 resource server). */
export interface OAuthSettings {
  readonly issuer: string;
  /** Must be in the token's `aud`: a token for another server is not for us. */
  readonly audience: string;
  /** Where the signing keys are … */
  readonly jwksUrl?: string;
  /** … or the keys themselves. */
  readonly jwks?: { readonly keys: readonly SigningKey[] };
  /** The claim that names the tenant. */
  readonly tenantClaim: string;
  /** The claim that lists scopes: a space-separated string, or an array. */
  readonly scopeClaim: string;
  /** Precedes our scopes in the token, such as `fourfold:` in `fourfold:read`. */
  readonly scopePrefix?: string;
  /** The public URL of this server's /mcp, if it differs from the one it listens on. */
  readonly resource?: string;
}

export type VerifyToken = (token: string) => Promise<TrustedCaller | Fault>;

/** Asymmetric only: with a shared secret everyone who can verify a token can also create one. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/**
 * RFC 8725 3.11: a token of another kind (logout, DPoP proof) is not an access token, even if its signature is valid.
 */
const tokenTypes = new Set(['jwt', 'at+jwt', 'application/at+jwt']);

const rejectToken = (why: string): Fault => faults.UNAUTHORIZED({ why });

const words = (claim: unknown): readonly string[] => {
  if (typeof claim === 'string') return claim.split(' ');
  return Array.isArray(claim) ? claim.filter((word) => typeof word === 'string') : [];
};

function toTrusted(settings: OAuthSettings, payload: JWTPayload, now: number): TrustedCaller | Fault {
  // RFC 7800: a token bound to a key is worthless without its proof, and we verify no such proofs.
  if (payload['cnf'] !== undefined)
    return rejectToken('the token is bound to a key and cannot be used as a bearer token');
  const tenant = payload[settings.tenantClaim];
  if (typeof tenant !== 'string' || !isTenantText(tenant)) {
    return rejectToken(`the claim ${settings.tenantClaim} names no tenant`);
  }
  const { sub, exp } = payload;
  if (sub === undefined || exp === undefined || !/^[\x21-\x7e]+$/.test(sub))
    return rejectToken('the token names no subject');
  const prefix = settings.scopePrefix ?? '';
  const ours = words(payload[settings.scopeClaim]).filter((word) => word.startsWith(prefix));
  const scopes = toScopes(ours.map((word) => word.slice(prefix.length)));
  if (scopes.length === 0)
    return faults.PERMISSION_DENIED(
      { why: 'the token has none of the scopes read, write, admin' },
      { fix: `Request a token with the scope ${prefix}read, ${prefix}write or ${prefix}admin.` },
    );
  return {
    caller: {
      tenant: toTenantId(tenant),
      actor: `oauth:${sub}`.slice(0, accessLimits.actorChars),
      scopes: new Set(scopes),
    },
    trustedUntil: Math.min(exp * 1000, now + accessLimits.tokenTrustMs),
  };
}

export function createTokenVerifier(settings: OAuthSettings, clock: Clock, log: Log): VerifyToken {
  let loading: Promise<(token: string) => Promise<TrustedCaller | Fault>> | undefined;

  async function load() {
    const jose = await import('jose');
    const { errors } = jose;
    const keySet: JWTVerifyGetKey =
      settings.jwksUrl === undefined
        ? jose.createLocalJWKSet({ keys: [...(settings.jwks?.keys ?? [])] })
        : jose.createRemoteJWKSet(new URL(settings.jwksUrl), {
            timeoutDuration: accessLimits.jwksTimeoutMs,
            cacheMaxAge: accessLimits.jwksMaxAgeMs,
            cooldownDuration: accessLimits.jwksCooldownMs,
          });

    const isForged = (error: unknown): boolean =>
      error instanceof errors.JWSInvalid ||
      error instanceof errors.JWTInvalid ||
      error instanceof errors.JWSSignatureVerificationFailed ||
      error instanceof errors.JWKSNoMatchingKey ||
      error instanceof errors.JWKSMultipleMatchingKeys ||
      error instanceof errors.JOSEAlgNotAllowed ||
      error instanceof errors.JOSENotSupported;

    function toFault(error: unknown): Fault {
      if (error instanceof errors.JWTExpired) return rejectToken('the token has expired');
      if (error instanceof errors.JWTClaimValidationFailed)
        return rejectToken(`the token has an invalid claim ${error.claim}`);
      if (isForged(error)) return rejectToken('the token is not from the authorization server');
      log.warn({ reason: String(error) }, 'fetching the signing keys failed');
      return accessFaults.IDENTITY_UNAVAILABLE();
    }

    return async (token: string): Promise<TrustedCaller | Fault> => {
      const now = clock.now();
      let verified: JWTVerifyResult;
      try {
        verified = await jose.jwtVerify(token, keySet, {
          algorithms,
          issuer: settings.issuer,
          audience: settings.audience,
          requiredClaims: ['exp', 'sub'],
          currentDate: new Date(now),
          clockTolerance: accessLimits.clockToleranceS,
        });
      } catch (error) {
        return toFault(error);
      }
      const { typ } = verified.protectedHeader;
      if (typ !== undefined && !tokenTypes.has(typ.toLowerCase()))
        return rejectToken('the token is not an access token');
      return toTrusted(settings, verified.payload, now);
    };
  }

  return async (token) => {
    loading ??= load();
    return (await loading)(token);
  };
}
