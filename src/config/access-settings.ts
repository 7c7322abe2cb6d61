import type { Setting } from './setting.ts';

const common = { group: 'Access', part: 'http' } as const;

/** Who may call the server over HTTP. */
export const accessSettings = {
  auth: {
    kind: 'boolean',
    ...common,
    about: 'Requires a key for every HTTP request. Can be disabled only on a loopback address.',
    env: ['SCRATCH_NOTEBOOK_ENABLE_AUTH'],
    fallback: true,
  },
  bearerToken: {
    kind: 'text',
    ...common,
    about:
      'Your own token, which may read and write as the tenant local. Prefer the variable: other users can see flags.',
    env: ['SCRATCH_NOTEBOOK_AUTH_BEARER_TOKEN'],
    secret: true,
    unsetMeans: 'API keys only',
  },
  bearerTokenFile: {
    kind: 'path',
    ...common,
    about: 'File of such tokens, one per line: `tenant:token`.',
    env: ['SCRATCH_NOTEBOOK_AUTH_TOKEN_FILE'],
    unsetMeans: 'API keys only',
  },
  allowedHosts: {
    kind: 'list',
    ...common,
    items: 'text',
    splitAt: 'comma',
    about: 'Host names to accept, in addition to loopback names and its own address.',
    fallback: [],
  },
  allowedOrigins: {
    kind: 'list',
    ...common,
    items: 'text',
    splitAt: 'comma',
    about: 'Origins of web pages that may call the server, in addition to its own.',
    fallback: [],
  },
  oauthIssuer: {
    kind: 'url',
    ...common,
    about: 'Accepts access tokens of this OAuth 2.1 authorization server.',
    schemes: ['https', 'http'],
    unsetMeans: 'API keys only',
  },
  oauthResource: {
    kind: 'url',
    ...common,
    about: 'Public URL of /mcp, if the server is behind a proxy.',
    schemes: ['https', 'http'],
    unsetMeans: '/mcp at the host of the request',
  },
  oauthAudience: {
    kind: 'text',
    ...common,
    about: 'Required audience of an access token.',
    unsetMeans: 'the URL of /mcp',
  },
  oauthJwksUrl: {
    kind: 'url',
    ...common,
    about: 'URL of the public keys of the authorization server.',
    schemes: ['https', 'http'],
    unsetMeans: 'required with oauthIssuer',
  },
  oauthClientId: {
    kind: 'text',
    ...common,
    about:
      'Client id of this server at the authorization server, so that people can sign in to the dashboard there. Its redirect URL is /api/session/oauth/callback.',
    unsetMeans: 'people sign in with a link, a key or a token',
  },
  oauthClientSecret: {
    kind: 'text',
    ...common,
    about: 'Secret of that client. Prefer the variable or the file: other users can see flags.',
    secret: true,
    unsetMeans: 'a public client',
  },
  oauthTenantClaim: {
    kind: 'text',
    ...common,
    about: 'Claim of an access token that names the tenant.',
    fallback: 'tenant',
  },
  oauthScopeClaim: {
    kind: 'text',
    ...common,
    about: 'Claim of an access token that holds the scopes.',
    fallback: 'scope',
  },
  oauthScopePrefix: {
    kind: 'text',
    ...common,
    about: 'Prefix of our scopes in an access token, such as `fourfold:` in `fourfold:read`.',
    unsetMeans: 'nothing',
  },
} as const satisfies Readonly<Record<string, Setting>>;
