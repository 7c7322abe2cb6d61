import assert from 'node:assert/strict';
import rest from '@feathersjs/rest-client';
import socketio from '@feathersjs/socketio-client';
import { io } from 'socket.io-client';
import { app } from '../src/app.js';
import { createClient } from '../src/client.js';
import { serverUrl } from './server-url.js';

describe('the client', () => {
  it('reaches the application over REST', async () => {
    const client = createClient(rest(serverUrl()).fetch(fetch));
    const nowhere = client.service('path/to/nowhere' as never) as { find(): Promise<unknown> };

    await assert.rejects(nowhere.find(), { name: 'NotFound' });
  });

  it('reaches the application over Socket.io', async () => {
    const socket = io(serverUrl(), { transports: ['websocket'], forceNew: true });
    createClient(socketio(socket));

    await new Promise<void>((resolve) => socket.once('connect', resolve));
    assert.equal(app.io.sockets.sockets.has(String(socket.id)), true);

    socket.close();
  });
});
