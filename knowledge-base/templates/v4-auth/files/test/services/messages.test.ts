import assert from 'node:assert/strict';
import { app } from '../../src/app';
import { call, makeUser } from '../user';

describe('the messages service', () => {
  it('creates, finds, changes and removes a message over REST', async () => {
    const { id: userId, token } = await makeUser();
    const data = { text: 'Hello', unknown: true, userId: '0' };
    const { status, body: message } = await call('messages', { method: 'POST', data, token });
    const id = message[app.service('messages').id];

    assert.equal(status, 201);
    assert.equal(message.text, 'Hello');
    assert.equal(message.userId, userId);
    assert.equal('unknown' in message, false);

    const { body: page } = await call(`messages?userId=${userId}&$sort[createdAt]=-1`, { token });
    assert.equal(page.total, 1);
    assert.equal(page.data[0].text, 'Hello');

    const { body: changed } = await call(`messages/${id}`, { method: 'PATCH', data: { text: 'Changed' }, token });
    assert.equal(changed.text, 'Changed');
    assert.equal((await call(`messages/${id}`, { method: 'DELETE', token })).status, 200);
    assert.equal((await call(`messages/${id}`, { token })).status, 404);
  });

  it('lets nobody in without a token, and nobody change what is not theirs', async () => {
    const [writer, other] = [await makeUser(), await makeUser()];
    const { body: message } = await call('messages', { method: 'POST', data: { text: 'Mine' }, token: writer.token });
    const path = `messages/${message[app.service('messages').id]}`;

    assert.equal((await call('messages')).status, 401);
    assert.equal((await call(path, { token: other.token })).status, 200);
    assert.equal((await call(path, { method: 'PATCH', data: { text: 'No' }, token: other.token })).status, 404);
    assert.equal((await call(path, { method: 'DELETE', token: other.token })).status, 404);
  });

  it('replaces none', async () => {
    const { token } = await makeUser();
    const { body: message } = await call('messages', { method: 'POST', data: { text: 'Kept' }, token });
    const path = `messages/${message[app.service('messages').id]}`;

    assert.equal((await call(path, { method: 'PUT', data: { text: 'Replaced' }, token })).status, 405);
    assert.deepEqual((await call(path, { token })).body, message);
  });

  it('refuses a message without a text', async () => {
    const { token } = await makeUser();
    const { status, body } = await call('messages', { method: 'POST', data: { text: ' ' }, token });

    assert.equal(status, 400);
    assert.equal(body.name, 'BadRequest');
  });
});
