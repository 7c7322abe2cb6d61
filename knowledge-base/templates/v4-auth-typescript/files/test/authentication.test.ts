import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import authentication from '@feathersjs/authentication-client';
import feathers from '@feathersjs/feathers';
import socketio from '@feathersjs/socketio-client';
import io from 'socket.io-client';
import { app } from '../src/app';
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

  it('refuses a wrong password, and one that is too short', async () => {
    const { credentials } = await makeUser();
    const wrong = { strategy: 'local', ...credentials, password: 'something else' };

    assert.equal((await call('authentication', { method: 'POST', data: wrong })).status, 401);
    assert.equal((await call('users', { method: 'POST', data: { email: 'a@example.com', password: 'short' } })).status, 400);
  });

  it('shows a user itself and nobody else', async () => {
    const [one, other] = [await makeUser(), await makeUser()];
    const { body: page } = await call('users', { token: one.token });

    assert.deepEqual(page.data.map(({ email }: { email: string }) => email), [one.credentials.email]);
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
});
