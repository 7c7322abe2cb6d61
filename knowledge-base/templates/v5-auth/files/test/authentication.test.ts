import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import rest from '@feathersjs/rest-client';
import socketio from '@feathersjs/socketio-client';
import { io } from 'socket.io-client';
import { app } from '../src/app.js';
import { createClient } from '../src/client.js';
import { userId } from '../src/services/users/users.id.js';
import type { User } from '../src/services/users/users.schema.js';
import { serverUrl } from './server-url.js';

const newUser = () => ({ email: `${randomUUID()}@example.com`, password: 'correct horse' });

describe('authentication', () => {
  it('takes the right password and no other', async () => {
    const user = newUser();
    await app.service('users').create(user);
    const client = createClient(rest(serverUrl()).fetch(fetch));

    await assert.rejects(client.authenticate({ strategy: 'local', ...user, password: 'wrong horse' }), {
      name: 'NotAuthenticated',
      code: 401,
    });
    const result = await client.authenticate({ strategy: 'local', ...user });
    assert.equal(result.user.email, user.email);
    assert.equal('password' in result.user, false);
    assert.equal(typeof result.accessToken, 'string');
  });

  it('refuses a token that it did not make', async () => {
    const response = await fetch(`${serverUrl()}/users`, { headers: { Authorization: 'Bearer a.b.c' } });

    assert.equal(response.status, 401);
  });

  it('holds over Socket.io, and tells a user what happens to that user', async () => {
    const user = newUser();
    await app.service('users').create(user);
    const socket = io(serverUrl(), { transports: ['websocket'], forceNew: true });
    const client = createClient(socketio(socket));
    try {
      await assert.rejects(client.service('users').find(), { name: 'NotAuthenticated' });
      const { user: me } = await client.authenticate({ strategy: 'local', ...user });
      const patched = new Promise<{ email: string }>((resolve) => client.service('users').once('patched', resolve));
      await app.service('users').create(newUser());
      await app.service('users').patch(userId(me as User), { email: `new-${user.email}` });

      const heard = await patched;
      assert.equal(heard.email, `new-${user.email}`);
      assert.equal('password' in heard, false);
    } finally {
      socket.close();
    }
  });

  it('sends who wants to log in by a configured provider there', async () => {
    const response = await fetch(`${serverUrl()}/oauth/example`, { redirect: 'manual' });
    const location = response.headers.get('location') ?? '';

    assert.match(location, /^https:\/\/provider\.example\/authorize\?client_id=test&/);
    assert.match(location, /&state=\w+/);
  });

  it('knows who logs in by a provider again, and lets in nobody whom it does not name', async () => {
    const service = app.service('authentication');
    const profile = { id: randomUUID(), email: newUser().email };
    const comeIn = (who: object) => {
      const login = { strategy: 'example', profile: who };
      return service.create(login, { authStrategies: ['example'] });
    };

    const first = await comeIn(profile);
    const second = await comeIn({ id: profile.id });
    assert.equal(first.user.email, profile.email);
    assert.deepEqual(second.user, first.user);
    await assert.rejects(comeIn({ email: profile.email }), { name: 'NotAuthenticated' });
  });
});
