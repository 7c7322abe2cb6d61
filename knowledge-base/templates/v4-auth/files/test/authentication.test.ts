import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { default as authentication } from '@feathersjs/authentication-client';
import feathers from '@feathersjs/feathers';
import socketio from '@feathersjs/socketio-client';
import io from 'socket.io-client';
import { app } from '../src/app';
import type { ProviderStrategy } from '../src/providers';
import { call, makeUser } from './user';

describe('authentication', () => {
  it('makes a user, whose password never goes out', async () => {
    const credentials = { email: `${randomUUID()}@Example.com`, password: 'a long password' };
    const { status, body } = await call('users', { method: 'POST', data: credentials });

    assert.equal(status, 201);
    assert.equal(body.email, credentials.email.toLowerCase());
    assert.equal('password' in body, false);
  });

  it('refuses an e-mail address that is taken', async () => {
    const { credentials } = await makeUser();
    const { status, body } = await call('users', { method: 'POST', data: credentials });

    assert.equal(status, 409);
    assert.equal(body.name, 'Conflict');
  });

  it('refuses a wrong password', async () => {
    const { credentials } = await makeUser();
    const wrong = { strategy: 'local', ...credentials, password: 'something else' };

    assert.equal((await call('authentication', { method: 'POST', data: wrong })).status, 401);
  });

  it('refuses a user without a real email or password, and one who claims to be known to a provider', async () => {
    const good = { email: `${randomUUID()}@example.com`, password: 'a long password' };
    const bad = [
      { ...good, email: 'nobody' },
      { ...good, password: 'short' },
      { ...good, password: 'long '.repeat(20) },
      { email: good.email },
      { ...good, oauthId: 'example:1' },
    ];

    for (const data of bad) assert.equal((await call('users', { method: 'POST', data })).status, 400);
  });

  it('shows a user itself and nobody else', async () => {
    const [one, other] = [await makeUser(), await makeUser()];
    const { body: page } = await call('users', { token: one.token });

    assert.equal(page.total, 1);
    assert.equal(page.data[0].email, one.credentials.email);
    assert.equal((await call(`users/${other.id}`, { token: one.token })).status, 404);
    assert.equal((await call(`users/${other.id}`, { method: 'DELETE', token: one.token })).status, 404);
    assert.equal((await call('users')).status, 401);
  });

  it('logs in over Socket.io, and only then tells of messages', async () => {
    const { credentials } = await makeUser();
    const socket = io(app.get('testUrl'), { transports: ['websocket'] });
    try {
      const client = feathers().configure(socketio(socket)).configure(authentication());
      await assert.rejects(client.service('messages').find(), { name: 'NotAuthenticated' });
      await client.authenticate({ strategy: 'local', ...credentials });
      const heard = new Promise<{ text: string }>((resolve) => client.service('messages').once('created', resolve));
      await app.service('messages').create({ text: 'In real time' });

      assert.equal((await heard).text, 'In real time');
    } finally {
      socket.close();
    }
  });

  it('sends who wants to log in by a configured provider there', async () => {
    // The first step is to the application itself, which remembers who goes.
    const begun = await fetch(`${app.get('testUrl')}/oauth/example`, { redirect: 'manual' });
    const next = new URL(begun.headers.get('location') ?? '', app.get('testUrl'));
    const headers = { Cookie: begun.headers.get('set-cookie') ?? '' };
    const response = await fetch(next, { headers, redirect: 'manual' });
    const location = response.headers.get('location') ?? '';

    assert.match(location, /^https:\/\/provider\.example\/authorize\?client_id=test&/);
    assert.match(location, /&state=\w+/);
  });

  it('knows who logs in by a provider again, and lets in nobody whom it does not name', async () => {
    const service = app.service('authentication');
    const [strategy] = service.getStrategies('example') as ProviderStrategy[];
    const comeIn = (who: object) => {
      strategy.getProfile = async () => who;
      return service.create({ strategy: 'example' }, { authStrategies: ['example'] });
    };
    const profile = { id: randomUUID(), email: `${randomUUID()}@example.com` };

    const first = await comeIn(profile);
    const second = await comeIn({ id: profile.id });
    assert.equal(first.user.email, profile.email);
    assert.deepEqual(second.user, first.user);
    await assert.rejects(comeIn({ email: profile.email }), { name: 'NotAuthenticated' });
  });
});
