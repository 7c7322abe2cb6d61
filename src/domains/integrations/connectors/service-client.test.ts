import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createOutbound, type Outbound } from '#kernel/outbound/outbound.ts';
import { formRequest } from './oauth/tokens.ts';
import { createServiceClient, readRetryAfter } from './service-client.ts';

async function serve(answer: (response: ServerResponse, request: IncomingMessage) => void) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.headers.authorization}`);
    answer(response, request);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, seen };
}

const real = createOutbound({ allow: ['127.0.0.1'] });
const impatient: Outbound = {
  ...real,
  request: (url, request, bounds) => real.request(url, request, { ...bounds, timeoutMs: 50 }),
};
const signal = AbortSignal.timeout(60_000);

/** Notes the pauses between requests instead of waiting. */
function createClient(outbound = real) {
  const pauses: number[] = [];
  const client = createServiceClient(outbound, Date.now, async (ms) => void pauses.push(ms));
  return { client, pauses };
}

it('[IG75] gives up on a service that never answers, after a few tries with growing pauses', async () => {
  const { url, seen } = await serve(() => {});
  const { client, pauses } = createClient(impatient);
  await expect(client.request(url, { signal })).rejects.toMatchObject({
    code: 'SYNC_FAILED',
    message: expect.stringContaining('took longer than 50 ms'),
  });
  expect(seen).toHaveLength(5);
  expect(pauses.map((ms, at) => ms >= 187 * 2 ** at && ms <= 313 * 2 ** at)).toEqual([true, true, true, true]);
});

it('[IG75] repeats what failed for the moment, after the pause that the service asks for', async () => {
  const answers: readonly ((response: ServerResponse) => void)[] = [
    (response) => response.writeHead(500).end(),
    (response) => response.writeHead(429, { 'retry-after': '30' }).end(),
    (response) => response.writeHead(200, { 'content-length': '1000' }).write('[', () => response.destroy()),
    (response) => response.destroy(),
    (response) => response.end('{}'),
  ];
  const { url, seen } = await serve((response) => answers[seen.length - 1]!(response));
  const { client, pauses } = createClient();
  expect(await client.request(url, { signal })).toMatchObject({ status: 200 });
  expect(seen).toHaveLength(answers.length);
  expect(pauses[1]).toBe(30_000);
});

it('[IG75] gives up also if the token had to be renewed at the last try', async () => {
  const { url, seen } = await serve((response) => response.writeHead(seen.length === 5 ? 401 : 500).end());
  const { client } = createClient();
  const request = { signal, renew: async () => ({ authorization: 'new' }) };
  await expect(client.request(url, request)).rejects.toThrow('answered with HTTP 500');
  expect(seen.slice(-2)).toEqual(['GET undefined', 'GET new']);
  expect(seen).toHaveLength(6);
});

it('[IG75] sends secrets of a login to no other address', async () => {
  const other = await serve((response) => response.end('{}'));
  const { url } = await serve((response) => response.writeHead(307, { location: other.url }).end());
  const { client } = createClient();
  const refused = client.request(url, formRequest({ client_secret: 's' }, signal));
  await expect(refused).rejects.toThrow('more than 0 redirects');
  expect(other.seen).toEqual([]);
  // Negative control: another request follows the redirect.
  await client.request(url, { method: 'POST', body: 'question', signal });
  expect(other.seen).toHaveLength(1);
});

it('[IG22] says how an address of a private network is allowed', async () => {
  const client = createServiceClient(createOutbound(), Date.now);
  await expect(client.request('http://127.0.0.1/', { signal })).rejects.toMatchObject({
    code: 'SYNC_FAILED',
    fix: expect.stringContaining('outboundAllow'),
  });
});

it.each([
  ['120', 120_000],
  ['Thu, 01 Jan 2026 00:02:00 GMT', 120_000],
  // The clock of the service is behind.
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['soon', undefined],
  [undefined, undefined],
])('[IG75] reads the pause %s that a service asks for', (value, ms) => {
  const read = readRetryAfter(value, Date.UTC(2026, 0, 1));
  expect(read).toBe(ms);
});
