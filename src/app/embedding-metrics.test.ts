import { expect, test } from 'vitest';
import { type TenantId, toTenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import { createLogFixture } from '#kernel/log/log.ts';
import { type CollectionProgress, createEmbeddingMetrics, embeddingLimits } from './embedding-metrics.ts';

function plant(ask: (tenant: TenantId) => Promise<readonly CollectionProgress[]>) {
  const clock = createManualClock();
  const log = createLogFixture();
  let isUsed = false;
  const { metrics } = createEmbeddingMetrics({
    clock,
    log,
    tenants: async () => [toTenantId('a'), toTenantId('b')],
    progress: () => (isUsed ? ask : undefined),
  });
  const read = async () =>
    Object.fromEntries(await Promise.all(metrics.map(async (each) => [each.name, [...(await each.read())]] as const)));
  const use = () => {
    isUsed = true;
  };
  return { clock, log, read, use };
}

test('reports pending and embedded documents per collection over all tenants from one count', async () => {
  let asked = 0;
  const { clock, read, use } = plant(async (tenant) => {
    asked += 1;
    const notebooks = { collection: 'notebooks', pending: asked, embedded: 10 };
    return tenant === toTenantId('a') ? [notebooks] : [notebooks, { collection: 'rules', pending: 0, embedded: 5 }];
  });
  expect(await read()).toEqual({ fourfold_embedding_pending: [], fourfold_embedding_embedded: [] });
  use();
  const first = {
    fourfold_embedding_pending: [
      ['notebooks', 3],
      ['rules', 0],
    ],
    fourfold_embedding_embedded: [
      ['notebooks', 20],
      ['rules', 5],
    ],
  };
  expect(await read()).toEqual(first);
  clock.advance(embeddingLimits.embeddingTrustMs - 1);
  expect(await read()).toEqual(first);
  expect(asked).toBe(2);
  clock.advance(1);
  expect((await read())['fourfold_embedding_pending']).toContainEqual(['notebooks', 7]);
});

test('an unavailable store costs only these metrics', async () => {
  const { log, read, use } = plant(() => Promise.reject(new Error('away')));
  use();
  expect(await read()).toEqual({ fourfold_embedding_pending: [], fourfold_embedding_embedded: [] });
  expect(log.lines).toMatchObject([{ level: 'warn', message: 'could not count the embedded documents' }]);
});
