import assert from 'node:assert/strict';
import feathers from '@feathersjs/feathers';
import socketio from '@feathersjs/socketio-client';
import io from 'socket.io-client';
import { app } from '../../src/app';

const call = async (path: string, method = 'GET', data?: object) => {
  const response = await fetch(`${app.get('testUrl')}/${path}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: data === undefined ? undefined : JSON.stringify(data),
  });
  const body: any = await response.json();
  return { status: response.status, body };
};

describe('the messages service', () => {
  it('creates, finds, changes and removes a message over REST', async () => {
    const { status, body: message } = await call('messages', 'POST', { text: 'Hello', unknown: true });
    const id = message[app.service('messages').id];

    assert.equal(status, 201);
    assert.equal(message.text, 'Hello');
    assert.equal('unknown' in message, false);
    assert.equal(typeof message.createdAt, 'number');

    const { body: page } = await call('messages?text=Hello&$sort[createdAt]=-1&$limit=1');
    assert.ok(page.total >= 1);
    assert.equal(page.data[0].text, 'Hello');

    const { body: changed } = await call(`messages/${id}`, 'PATCH', { text: 'Changed' });
    assert.equal(changed.text, 'Changed');
    assert.equal(changed.createdAt, message.createdAt);

    assert.equal((await call(`messages/${id}`, 'DELETE')).status, 200);
    assert.equal((await call(`messages/${id}`)).status, 404);
  });

  it('replaces none', async () => {
    const { body: message } = await call('messages', 'POST', { text: 'Kept' });
    const path = `messages/${message[app.service('messages').id]}`;

    assert.equal((await call(path, 'PUT', { text: 'Replaced' })).status, 405);
    assert.deepEqual((await call(path)).body, message);
  });

  it('refuses a message without a text', async () => {
    const { status, body } = await call('messages', 'POST', { text: ' ' });

    assert.equal(status, 400);
    assert.equal(body.name, 'BadRequest');
  });

  it('tells whoever is connected of a new message', async () => {
    const socket = io(app.get('testUrl'), { transports: ['websocket'] });
    try {
      const client = feathers().configure(socketio(socket));
      // An answer shows that the connection stands.
      await client.service('messages').find();
      const heard = new Promise<{ text: string }>((resolve) => client.service('messages').once('created', resolve));
      await app.service('messages').create({ text: 'In real time' });

      assert.equal((await heard).text, 'In real time');
    } finally {
      socket.close();
    }
  });
});
