import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createOutbound, type Outbound } from '#kernel/outbound/outbound.ts';
import { createServiceClient, readRetryAfter } from './service-client.ts';

it('[IG75] gives up on a service that never answers, after a few tries', async () => {
  let count = 0;
  const server = createServer(() => {
    count += 1;
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const real = createOutbound({ allow: ['127.0.0.1'] });
  const outbound: Outbound = {
    ...real,
    request: (url, request, bounds) => real.request(url, request, { ...bounds, timeoutMs: 50 }),
  };
  const client = createServiceClient(outbound, Date.now);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await expect(client.request(url, { signal: AbortSignal.timeout(60_000) })).rejects.toMatchObject({
    code: 'SYNC_FAILED',
    message: expect.stringContaining('took longer than 50 ms'),
  });
  expect(count).toBe(5);
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
