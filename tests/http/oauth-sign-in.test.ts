import { expect, onTestFinished, test } from 'vitest';
import { createCodeFlow } from '#kernel/access/code-flow.ts';
import { createOutbound } from '#kernel/outbound/outbound.ts';
import { oauthClient, startAuthorizationServer } from '#tests/support/authorization-server.ts';
import { openHttpFixture } from './http-server.fixture.ts';

async function openOAuth() {
  let now = Date.now;
  const { double, oauth, person } = await startAuthorizationServer(() => now());
  onTestFinished(() => double.stop());
  const { server, clock, post, ...rest } = await openHttpFixture({
    settings: { oauth },
    codeFlow: (deps) =>
      createCodeFlow({
        ...deps,
        oauth,
        client: oauthClient,
        openOutbound: async () => createOutbound({ allow: ['127.0.0.1'] }),
      }),
  });
  now = () => clock.now();

  /** A browser that keeps the cookies of the server and follows no redirect. */
  const cookies = new Map<string, string>();
  async function go(url: string) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    if (url.startsWith(server.url)) {
      for (const header of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
    }
    return {
      ...answer,
      status: answer.status,
      to: answer.headers.get('location') ?? '',
      set: answer.headers.getSetCookie(),
    };
  }
  const start = (from = '/truth?type=person') => go(`${server.url}/api/session/oauth?from=${encodeURIComponent(from)}`);
  const callWith = (cookie: string) =>
    fetch(`${server.url}/api/tools/test/echoText`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.url, cookie },
      body: '{"text":"a"}',
    });
  return { ...rest, double, person, server, cookies, go, start, callWith };
}

test('signs a person in at the authorization server and returns to the page that was asked for', async () => {
  const { double, server, cookies, go, start, callWith } = await openOAuth();
  expect(await (await fetch(`${server.url}/api/session`)).json()).toEqual({
    oauth: { host: new URL(double.url).host, path: '/api/session/oauth' },
  });
  const begun = await start();
  expect(begun.set[0]).toMatch(/; Path=\/api\/session\/oauth; HttpOnly; SameSite=Lax; Max-Age=600$/);
  const consent = await go(begun.to);
  const back = await go(consent.to);
  double.check();
  expect([back.status, back.to]).toEqual([302, '/truth?type=person']);
  expect(back.set.find((header) => !header.includes('_oauth='))).toMatch(/HttpOnly; SameSite=Strict/);
  const [session, ...others] = [...cookies].map(([name, value]) => `${name}=${value}`);
  expect(others).toEqual([]);
  expect((await callWith(session!)).status).toBe(200);
});

test('refuses an answer that belongs to another browser or another server, and a code that was used', async () => {
  const { go, start, cookies, server } = await openOAuth();
  const { to: consent } = await start();
  const { to: back } = await go(consent);
  const pending = new Map(cookies);
  const changed = (name: string, value: string) => {
    const url = new URL(back);
    url.searchParams.set(name, value);
    return url.href;
  };
  const tryAgain = async (url: string) => {
    for (const [name, value] of pending) cookies.set(name, value);
    const { to, set } = await go(url);
    expect(set.every((header) => header.includes('_oauth=;'))).toBe(true);
    return to;
  };
  expect(await tryAgain(changed('state', 'x'.repeat(43)))).toBe('/sign-in?problem=expired');
  expect(await tryAgain(changed('iss', 'https://evil.example.com'))).toBe('/sign-in?problem=refused');
  expect(await tryAgain(changed('code', 'guessed'))).toBe('/sign-in?problem=refused');
  cookies.clear();
  expect((await go(back)).to).toBe('/sign-in?problem=expired');
  for (const [name, value] of pending) cookies.set(name, value);
  expect((await go(back)).to).toBe('/truth?type=person');
  expect(await tryAgain(back)).toBe('/sign-in?problem=refused');
  expect((await go(`${server.url}/api/session/oauth/callback`)).to).toBe('/sign-in?problem=expired');
});

test('says that the person denied the access, or has none here', async () => {
  const { go, start, person } = await openOAuth();
  const walk = async (from?: string) => (await go((await go((await start(from)).to)).to)).to;
  person.allows = false;
  expect(await walk()).toBe('/sign-in?problem=denied');
  person.allows = true;
  person.claims = { scope: 'openid' };
  expect(await walk()).toBe('/sign-in?problem=refused');
  person.claims = {};
  for (const trap of ['https://evil.example.com/', '//evil.example.com', '/\\evil.example.com', '/a\r\nb'])
    expect(await walk(trap)).toBe('/');
});

test('says that the authorization server does not answer', async () => {
  const { double, start } = await openOAuth();
  await double.stop();
  expect((await start()).to).toBe('/sign-in?problem=unavailable');
});

test('offers nothing where no client is configured', async () => {
  const { server } = await openHttpFixture();
  expect(await (await fetch(`${server.url}/api/session`)).json()).toEqual({});
  expect((await fetch(`${server.url}/api/session/oauth`)).status).toBe(404);
});
