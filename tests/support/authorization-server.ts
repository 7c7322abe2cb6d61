import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { expect } from 'vitest';
import type { OAuthSettings } from '#kernel/access/jwt.ts';
import { type DoubleRequest, type ServiceDouble, startDouble } from './service-double.ts';

export const oauthClient = { clientId: 'fourfold-dashboard', clientSecret: 'hush: & 100%' } as const;
const audience = 'https://memory.example.com/mcp';

export interface AuthorizationServer {
  readonly double: ServiceDouble;
  readonly oauth: OAuthSettings;
  /** What the person decides, and what the next token says. */
  readonly person: { allows: boolean; claims: Readonly<Record<string, unknown>> };
}

const toPart = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * An OAuth 2.1 authorization server on loopback that checks each request against RFC 6749, 7636 and 8707. It lets the
 * person in without asking for a password.
 */
export async function startAuthorizationServer(now: () => number = Date.now): Promise<AuthorizationServer> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const codes = new Map<string, { readonly challenge: string; readonly redirectUri: string }>();
  const person: AuthorizationServer['person'] = { allows: true, claims: {} };
  let issuer = '';

  function makeToken(): string {
    const claims = { iss: issuer, aud: audience, sub: 'ada', exp: Math.floor(now() / 1000) + 300, tenant: 'local' };
    const text = `${toPart({ alg: 'ES256', kid: 'k1' })}.${toPart({ ...claims, scope: 'read write admin', ...person.claims })}`;
    const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return `${text}.${signature.toString('base64url')}`;
  }

  function authorize({ searchParams: query }: URL) {
    expect(Object.fromEntries(query)).toMatchObject({
      response_type: 'code',
      client_id: oauthClient.clientId,
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api\/session\/oauth\/callback$/),
      scope: 'read write admin',
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      resource: audience,
    });
    const back = new URL(query.get('redirect_uri')!);
    back.searchParams.set('state', query.get('state')!);
    back.searchParams.set('iss', issuer);
    if (person.allows) {
      const code = randomBytes(8).toString('hex');
      codes.set(code, { challenge: query.get('code_challenge')!, redirectUri: query.get('redirect_uri')! });
      back.searchParams.set('code', code);
    } else back.searchParams.set('error', 'access_denied');
    return { status: 302, headers: { location: back.href }, body: '' };
  }

  function exchange({ headers, body }: DoubleRequest) {
    const form = Object.fromEntries(new URLSearchParams(body));
    const { clientId, clientSecret } = oauthClient;
    const basic = Buffer.from(`${clientId}:${encodeURIComponent(clientSecret)}`).toString('base64');
    expect(headers.authorization).toBe(`Basic ${basic}`);
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(form).toMatchObject({ grant_type: 'authorization_code', client_id: clientId, resource: audience });
    const issued = codes.get(form['code'] ?? '');
    codes.delete(form['code'] ?? '');
    const challenge = createHash('sha256')
      .update(form['code_verifier'] ?? '')
      .digest('base64url');
    if (issued?.challenge !== challenge || issued.redirectUri !== form['redirect_uri'])
      return { status: 400, body: { error: 'invalid_grant' } };
    return { body: { access_token: makeToken(), token_type: 'Bearer', expires_in: 300 } };
  }

  const double = await startDouble((request) => {
    const { method, url } = request;
    switch (`${method} ${url.pathname}`) {
      case 'GET /.well-known/oauth-authorization-server':
        return {
          body: { issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
        };
      case 'GET /keys':
        return { body: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'ES256' }] } };
      case 'GET /authorize':
        return authorize(url);
      case 'POST /token':
        return exchange(request);
      default:
        return { status: 404, body: {} };
    }
  });
  issuer = double.url;
  const oauth = { issuer, audience, jwksUrl: `${issuer}/keys`, tenantClaim: 'tenant', scopeClaim: 'scope' };
  return { double, oauth, person };
}
