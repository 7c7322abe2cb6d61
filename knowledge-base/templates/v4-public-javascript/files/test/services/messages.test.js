const assert = require('node:assert/strict');
const feathers = require('@feathersjs/feathers');
const socketio = require('@feathersjs/socketio-client');
const io = require('socket.io-client');
const { app } = require('../../src/app');

const call = async (path, method = 'GET', data = undefined) => {
  const response = await fetch(`${app.get('testUrl')}/${path}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: data === undefined ? undefined : JSON.stringify(data),
  });
  return { status: response.status, body: await response.json() };
};

describe('the messages service', () => {
  it('creates, finds, changes and removes a message over REST', async () => {
    const { status, body: message } = await call('messages', 'POST', { text: 'Hello', unknown: true });
    const id = message[app.service('messages').id];

    assert.equal(status, 201);
    assert.equal(message.text, 'Hello');
    assert.equal('unknown' in message, false);
    assert.ok(Number(message.createdAt) > 0);

    const { body: page } = await call('messages?text=Hello&$sort[createdAt]=-1&$limit=1');
    assert.ok(page.total >= 1);
    assert.equal(page.data[0].text, 'Hello');

    const { body: changed } = await call(`messages/${id}`, 'PATCH', { text: 'Changed' });
    assert.equal(changed.text, 'Changed');
    assert.equal(Number(changed.createdAt), Number(message.createdAt));

    assert.equal((await call(`messages/${id}`, 'DELETE')).status, 200);
    assert.equal((await call(`messages/${id}`)).status, 404);
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
      const heard = new Promise((resolve) => client.service('messages').once('created', resolve));
      await app.service('messages').create({ text: 'In real time' });

      assert.equal((await heard).text, 'In real time');
    } finally {
      socket.close();
    }
  });
});
