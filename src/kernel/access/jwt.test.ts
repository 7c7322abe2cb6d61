import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, onTestFinished, test } from 'vitest';
import { createManualClock } from '../clock/clock.ts';
import { Fault } from '../fault/fault.ts';
import { createLogFixture } from '../log/log.ts';
import { accessLimits } from './access-limits.ts';
import { createTokenVerifier, type OAuthSettings } from './jwt.ts';

const issuer = 'https://login.example.com/';
const audience = 'https://memory.example.com/mcp';
const base = { issuer, audience, tenantClaim: 'org', scopeClaim: 'scope' };

async function openIssuer(alg = 'ES256') {
  const clock = createManualClock();
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg } as { kty: string; [member: string]: unknown };
  const log = createLogFixture();
  const nowS = Math.floor(clock.now() / 1000);
  const claims = {
    iss: issuer,
    aud: audience,
    sub: 'user-1',
    exp: nowS + 300,
    org: 'acme',
    scope: 'openid read write',
  };
  return {
    clock,
    jwk,
    log,
    claims,
    verifier: (settings: Partial<OAuthSettings> = {}) =>
      createTokenVerifier({ ...base, jwks: { keys: [jwk] }, ...settings }, clock, log),
    sign: (changed: Record<string, unknown> = {}, header: Record<string, unknown> = {}) =>
      new SignJWT({ ...claims, ...changed }).setProtectedHeader({ alg, kid: 'k1', ...header }).sign(privateKey),
  };
}

const whyRefused = (answer: unknown): string => {
  expect(answer).toBeInstanceOf(Fault);
  return (answer as Fault).message;
};

test.each(['ES256', 'RS256', 'EdDSA'])(
  'accepts a token signed with %s, with its tenant, actor and scopes',
  async (alg) => {
    const { verifier, sign, claims } = await openIssuer(alg);
    expect(await verifier()(await sign())).toEqual({
      caller: { tenant: 'acme', actor: 'oauth:user-1', scopes: new Set(['read', 'write']) },
      trustedUntil: claims.exp * 1000 - 300_000 + accessLimits.tokenTrustMs,
    });
  },
);

test('reads scopes from an array and after a prefix, and ignores foreign ones', async () => {
  const { verifier, sign } = await openIssuer();
  const verify = verifier({ scopeClaim: 'permissions', scopePrefix: 'fourfold:' });
  const answer = await verify(await sign({ permissions: ['fourfold:read', 'admin'] }));
  expect(answer).toMatchObject({ caller: { scopes: new Set(['read']) } });
});

test('does not trust a token past its own expiry', async () => {
  const { verifier, sign, clock } = await openIssuer();
  const exp = Math.floor(clock.now() / 1000) + 10;
  expect(await verifier()(await sign({ exp }))).toMatchObject({ trustedUntil: exp * 1000 });
});

test.each([
  ['of another issuer', { iss: 'https://evil.example.com/' }, {}, 'claim iss'],
  ['made for another server', { aud: 'https://other.example.com' }, {}, 'claim aud'],
  ['that has expired', { exp: 1_000 }, {}, 'expired'],
  ['without an end', { exp: undefined }, {}, 'claim exp'],
  ['not yet valid', { nbf: 9_999_999_999 }, {}, 'claim nbf'],
  ['without a subject', { sub: undefined }, {}, 'claim sub'],
  ['whose subject cannot be written down', { sub: 'a\u0000b' }, {}, 'subject'],
  ['without a tenant', { org: undefined }, {}, 'tenant'],
  ['whose tenant is a path', { org: '../x' }, {}, 'tenant'],
  ['bound to a key', { cnf: { jkt: 'x' } }, {}, 'bound to a key'],
  ['of another kind', {}, { typ: 'logout+jwt' }, 'not an access token'],
  ['of a key that is not there', {}, { kid: 'k2' }, 'not from the authorization server'],
])('rejects a token %s', async (_title, changed, header, why) => {
  const { verifier, sign } = await openIssuer();
  const answer = await verifier()(await sign(changed, header));
  expect(answer).toMatchObject({ kind: { http: 401 } });
  expect(whyRefused(answer)).toContain(why);
});

test('answers forbidden, not unauthenticated, for a token without our scopes', async () => {
  const { verifier, sign } = await openIssuer();
  expect(await verifier()(await sign({ scope: 'openid email' }))).toMatchObject({ kind: { http: 403 } });
});

test('rejects unsigned tokens, tokens signed with the public key as shared secret, and noise', async () => {
  const { verifier, sign, jwk, claims } = await openIssuer();
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const unsigned = `${encode({ alg: 'none' })}.${encode(claims)}.`;
  const shared = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
    .sign(Buffer.from(JSON.stringify(jwk)));
  const right = await sign();
  const cut = right.slice(0, -4);
  const verify = verifier();
  for (const token of [unsigned, shared, cut, 'noise', '', '..', `${right}x`]) {
    expect(await verify(token)).toMatchObject({ kind: { http: 401 } });
  }
  expect(await verify(right)).not.toBeInstanceOf(Fault);
});

test('does not use a shared secret in the key set', async () => {
  const { verifier, claims } = await openIssuer();
  const secret = Buffer.alloc(32, 1);
  const keys = [{ kty: 'oct', kid: 's', k: secret.toString('base64url') }];
  const token = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 's' }).sign(secret);
  expect(await verifier({ jwks: { keys } })(token)).toMatchObject({ kind: { http: 401 } });
});

test('fetches keys from the URL in the settings, and does not blame the token when that fails', async () => {
  const { verifier, sign, jwk, log } = await openIssuer();
  let isUp = false;
  const server = createServer((_request, response) => {
    response.writeHead(isUp ? 200 : 500, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ keys: [jwk] }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const verify = verifier({ jwksUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks` });
  const token = await sign();
  expect(await verify(token)).toMatchObject({ code: 'IDENTITY_UNAVAILABLE', kind: { http: 503 } });
  expect(log.lines.map((line) => line.message)).toEqual(['fetching the signing keys failed']);
  isUp = true;
  expect(await verify(token)).toMatchObject({ caller: { tenant: 'acme' } });
});
