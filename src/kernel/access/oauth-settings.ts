/** One public signing key of the authorization server, as RFC 7517 writes it. */
export interface SigningKey {
  readonly kty: string;
  readonly [member: string]: unknown;
}

/** What this server must know to take an authorization server's tokens (OAuth 2.1 resource server). */
export interface OAuthSettings {
  readonly issuer: string;
  /** What the token's `aud` must hold: a token made for another server is not for us. */
  readonly audience: string;
  /** Where the signing keys are … */
  readonly jwksUrl?: string;
  /** … or the keys themselves. */
  readonly jwks?: { readonly keys: readonly SigningKey[] };
  /** The claim that names the tenant. */
  readonly tenantClaim: string;
  /** The claim that lists scopes: a string with blanks between, or an array. */
  readonly scopeClaim: string;
  /** Stands before our scopes in the token, such as `fourfold:` in `fourfold:read`. */
  readonly scopePrefix?: string;
  /** The address clients know this server's /mcp by, when it is not the one it listens on. */
  readonly resource?: string;
}
