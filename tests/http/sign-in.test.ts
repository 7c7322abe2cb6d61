import { expect, test } from 'vitest';
import { openHttpFixture } from './http-server.fixture.ts';

async function openSignedIn() {
  const fixture = await openHttpFixture();
  const { server, key } = fixture;
  const signIn = (credential: unknown, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.url, ...headers },
      body: JSON.stringify({ credential }),
    });
  const answer = await signIn(key);
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const call = (headers: Record<string, string>, body = '{"text":"a"}') =>
    fetch(`${server.url}/api/tools/test/echoText`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  return { ...fixture, signIn, answer, cookie, call };
}

test('exchanges a key for a cookie that scripts cannot read and other sites cannot send', async () => {
  const { answer, cookie, call, server, key } = await openSignedIn();
  expect(await answer.json()).toMatchObject({ name: 'test', scopes: ['write'] });
  const [header = ''] = answer.headers.getSetCookie();
  for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/']) expect(header).toContain(part);
  expect(header).not.toContain(key);
  expect((await call({ cookie, origin: server.url })).status).toBe(200);
  expect((await call({ cookie, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
});

test('refuses the cookie from other pages, without an origin, and as a header', async () => {
  const { cookie, call, server } = await openSignedIn();
  expect((await call({ cookie })).status).toBe(401);
  expect((await call({ cookie, 'sec-fetch-site': 'same-site', origin: server.url })).status).toBe(401);
  expect((await call({ cookie, origin: 'http://localhost:9' })).status).toBe(403);
  const session = cookie.slice(cookie.indexOf('=') + 1);
  expect((await call({ authorization: `Bearer ${session}` })).status).toBe(401);
  expect((await call({ cookie: cookie.replace('ffs_', 'ff_'), origin: server.url })).status).toBe(401);
  expect((await call({ cookie, origin: server.url, 'content-type': 'text/plain' })).status).toBe(415);
});

test('refuses a wrong credential, a wrong body and a page of another origin, without a cookie', async () => {
  const { signIn, server } = await openSignedIn();
  for (const [credential, status] of [
    ['ff_wrong', 401],
    [5, 400],
    ['x'.repeat(20_000), 413],
  ] as const) {
    const answer = await signIn(credential);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([status, []]);
  }
  const foreign = await signIn('ff_wrong', { 'sec-fetch-site': 'cross-site', origin: server.url });
  expect(foreign.status).toBe(403);
});

test('signs out: the cookie is removed and its text is worthless', async () => {
  const { cookie, call, server } = await openSignedIn();
  const answer = await fetch(`${server.url}/api/session`, {
    method: 'DELETE',
    headers: { cookie, origin: server.url },
  });
  expect(answer.headers.getSetCookie()[0]).toContain('Max-Age=0');
  expect((await call({ cookie, origin: server.url })).status).toBe(401);
});
