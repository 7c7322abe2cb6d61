import { expect, test } from 'vitest';
import { toTenantId } from '#kernel/call.ts';
import { createLogFixture } from '#kernel/log/log.ts';
import { describeTruth } from '../truth.fixture.ts';
import { createGraphFixture } from './graph.fixture.ts';
import { createOrphanCount, estimateOrphans, orphanLimits } from './orphan-count.ts';

describeTruth('[IG30] entities without a relationship', (engine) => {
  test('counts them, without merged ones and with those whose relationships were deleted', async () => {
    const graph = createGraphFixture(engine);
    const [a, b, c, d] = (await graph.stateAll(['A', 'B', 'C', 'D', 'E'])) as [string, string, string, string];
    const count = () => graph.read((db) => estimateOrphans(db));
    expect(await count()).toBe(5);
    await graph.relate('PART_OF', a, b);
    expect(await count()).toBe(3);
    await graph.merge(c, d);
    expect(await count()).toBe(2);
    const [edge] = await graph.edgesOf(a);
    await graph.ask('delete_relationship', { relationship_id: edge!.id });
    expect(await count()).toBe(4);
  });

  test('estimates the number from a sample', async () => {
    const graph = createGraphFixture(engine);
    const ids = await graph.stateAll(Array.from({ length: 200 }, (_, i) => `company ${i}`));
    await graph.relateAll('REFERS_TO', ids[0]!, ids.slice(1, 100));
    const estimate = await graph.read((db) => estimateOrphans(db, 100));
    expect(estimate % 2).toBe(0);
    expect(estimate).toBeGreaterThan(40);
    expect(estimate).toBeLessThan(160);
  });

  test('reuses the number for some minutes, and does not open the store', async () => {
    const graph = createGraphFixture(engine);
    let isOpen = false;
    const count = createOrphanCount({
      storage: { peek: async () => (isOpen ? engine.storage() : undefined) },
      clock: engine.clock,
      log: createLogFixture(),
      tenants: async () => [toTenantId('another'), graph.tenant],
    });
    await graph.state('A');
    expect(await count()).toBeUndefined();
    isOpen = true;
    expect(await count()).toBe(1);
    await graph.state('B');
    expect(await count()).toBe(1);
    engine.clock.advance(orphanLimits.orphanTrustMs);
    expect(await count()).toBe(2);
  });
});
