import { expect, it, onTestFinished } from 'vitest';
import { createOutbound } from '#kernel/outbound/outbound.ts';
import { startDouble } from '#tests/support/service-double.ts';
import { createPrometheus } from './prometheus.ts';

const query = { name: 'm', aggregation: 'avg', labels: {}, startMs: 0, stepMs: 60_000, pointsCount: 1 } as const;

async function openSlow(timeoutMs: number) {
  const double = await startDouble(() => ({ body: undefined }));
  onTestFinished(() => double.stop());
  const outbound = createOutbound({ allow: ['127.0.0.1'] });
  return createPrometheus({ outbound, url: double.url, token: () => undefined, timeoutMs });
}

it('[IG33] reports a Prometheus that does not answer in time', async () => {
  const prometheus = await openSlow(50);
  await expect(prometheus.query(query, undefined, new AbortController().signal)).rejects.toMatchObject({
    code: 'METRICS_SERVICE_UNAVAILABLE',
    message: expect.stringContaining('took longer than 50 ms'),
  });
});

it('stops when the call is cancelled', async () => {
  const prometheus = await openSlow(60_000);
  const reason = new Error('cancelled');
  await expect(prometheus.query(query, undefined, AbortSignal.abort(reason))).rejects.toBe(reason);
});
