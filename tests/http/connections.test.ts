import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { openHttpFixture, openSocket, readToEnd, statusOf } from './http-server.fixture.ts';

const line = 'Host: localhost\r\n';

/** Sends a request on an open connection and waits for the beginning of its answer. */
async function ask(socket: Socket, head: string): Promise<number> {
  socket.write(`${head} HTTP/1.1\r\n${line}\r\n`);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return statusOf(chunk.toString());
}

const withKey = (key: string) => `Authorization: Bearer ${key}\r\n`;

/** An authenticated call on its own connection, which stays open. */
async function openProven(port: number, key: string): Promise<Socket> {
  const socket = await openSocket(port);
  socket.write(
    `POST /mcp HTTP/1.1\r\n${line}${withKey(key)}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
  );
  await once(socket, 'data');
  return socket;
}

const openSockets = (port: number, count: number) => Promise.all(Array.from({ length: count }, () => openSocket(port)));

test('closes the oldest silent connection at the limit, so that new clients are served', async () => {
  const { server, key, get } = await openHttpFixture({ limits: { connectionsCount: 20 } });
  const first = await openSocket(server.port);
  const firstEnd = readToEnd(first);
  const silent = await openSockets(server.port, 19);
  const client = await openProven(server.port, key);
  expect(await firstEnd).toBe('');
  expect(silent.every((socket) => !socket.closed)).toBe(true);
  for (let i = 0; i < 5; i += 1) expect((await get('/healthz', { connection: 'close' })).status).toBe(200);
  expect(await ask(client, `GET /healthz`)).toBe(200);
});

test('never closes an authenticated connection, whatever the others do', async () => {
  const { server, key } = await openHttpFixture({ limits: { connectionsCount: 10 } });
  const clients = [await openProven(server.port, key), await openProven(server.port, key)];
  const half = await openSocket(server.port);
  half.write(`POST /mcp HTTP/1.1\r\n${line}Content-Type: application/json\r\nContent-Length: 9\r\n`);
  for (let round = 0; round < 5; round += 1) await openSockets(server.port, 20);
  for (const client of clients) expect(await ask(client, `GET /healthz`)).toBe(200);
  if (!half.closed) await once(half, 'close');
});

test('does not interrupt an authenticated request whose body is still on its way', async () => {
  const { server, key } = await openHttpFixture({ limits: { connectionsCount: 5 } });
  const slow = await openSocket(server.port);
  slow.write(
    `POST /mcp HTTP/1.1\r\n${line}${withKey(key)}Content-Type: application/json\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n`,
  );
  // The server has read the headers.
  await once(slow, 'data');
  await openSockets(server.port, 30);
  slow.write('{"id": 1}');
  const [chunk] = (await once(slow, 'data')) as [Buffer];
  expect(statusOf(chunk.toString())).toBe(200);
});

test('closes idle connections without a key after the silent ones', async () => {
  const { server, key } = await openHttpFixture({ limits: { connectionsCount: 3 } });
  const idle = await openSocket(server.port);
  expect(await ask(idle, 'GET /healthz')).toBe(200);
  const silent = await openSocket(server.port);
  await openProven(server.port, key);
  await openProven(server.port, key);
  if (!silent.closed) await once(silent, 'close');
  expect(await ask(idle, 'GET /healthz')).toBe(200);
  await openProven(server.port, key);
  if (!idle.closed) await once(idle, 'close');
});

test('refuses a new connection when all others are authenticated, and counts both', async () => {
  const { server, key, makeKey } = await openHttpFixture({ limits: { connectionsCount: 2 } });
  const clients = [await openProven(server.port, key), await openProven(server.port, key)];
  expect(await readToEnd(await openSocket(server.port))).toBe('');
  const admin = await makeKey(['admin']);
  clients[0]!.write(`GET /metrics HTTP/1.1\r\n${line}${withKey(admin)}Connection: close\r\n\r\n`);
  const answer = await readToEnd(clients[0]!);
  expect(answer).toContain('fourfold_http_connections{state="authenticated"} 2');
  expect(answer).toContain('fourfold_http_connections_refused_total{action="refused"} 1');
});
