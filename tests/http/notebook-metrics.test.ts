import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createNotebookMetrics } from '#domains/notebooks/exchange/notebook-metrics.ts';
import { createPadsFixture } from '#domains/notebooks/pads/pads.fixture.ts';
import { type TenantId, toTenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import { createLogFixture } from '#kernel/log/log.ts';
import { openSqlite } from '#kernel/storage/sqlite/open.ts';
import { createToolMeter } from '#kernel/tool/meter.ts';
import { migrations } from '#migrations/all.ts';
import { openHttpFixture } from './http-server.fixture.ts';

const tenants: readonly TenantId[] = [toTenantId('ada'), toTenantId('bob')];

async function openMetrics() {
  const folder = await mkdtemp(join(tmpdir(), 'ff-metrics-'));
  const clock = createManualClock();
  const log = createLogFixture();
  const storage = openSqlite({ file: join(folder, 'store.db'), migrations, clock, log, auditKey: Buffer.alloc(32) });
  const notebooks = createPadsFixture({ storage, clock });
  const meter = createToolMeter();
  const kept = createNotebookMetrics({ storage, clock, log, meter, tenants: async () => tenants });
  const server = await openHttpFixture({ metricSources: kept.metrics });
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await notebooks.close();
    await storage.close();
  };
  onTestFinished(async () => {
    await close();
    await rm(folder, { recursive: true, force: true });
  });
  const scrape = async () => {
    const lines = (await (await server.get('/metrics')).text()).split('\n');
    return lines.filter((line) => line.startsWith('scratch_notebook_'));
  };
  return { ...kept, clock, log, notebooks, meter, scrape, close, server };
}

test('shows the documented metrics on /metrics', async () => {
  const { clock, notebooks, meter, evicted, scrape } = await openMetrics();
  for (const [tenant, count] of [
    [tenants[0]!, 3],
    [tenants[1]!, 2],
  ] as const) {
    const cells = Array.from({ length: count }, () => ({ language: 'txt', content: 'x' }));
    await notebooks.as(tenant).ask('scratch_create', { scratch_id: 'plan', cells });
  }
  meter.record('scratch_create', 1, undefined);
  meter.record('scratch_create', 1, 'CAPACITY_LIMIT_REACHED');
  meter.record('scratch_read', 1, 'NOT_FOUND');
  meter.record('instructions/list', 1, 'NOT_FOUND');
  evicted('discard', 2);
  evicted('discard', 1);
  clock.advance(2_500);
  expect(await scrape()).toEqual([
    'scratch_notebook_ops_total{op="scratch_create"} 2',
    'scratch_notebook_ops_total{op="scratch_read"} 1',
    'scratch_notebook_errors_total{code="CAPACITY_LIMIT_REACHED"} 1',
    'scratch_notebook_errors_total{code="NOT_FOUND"} 1',
    'scratch_notebook_evictions_total{policy="discard"} 3',
    'scratch_notebook_scratchpads_current 2',
    'scratch_notebook_cells_current 5',
    'scratch_notebook_uptime_seconds 2.5',
  ]);
  await notebooks.as(tenants[0]!).ask('scratch_delete', { scratch_id: 'plan' });
  clock.advance(2_000);
  expect(await scrape()).toContain('scratch_notebook_cells_current 2');
});

test('shows the other metrics without a store, and logs the failure', async () => {
  const { clock, scrape, close, log } = await openMetrics();
  expect(await scrape()).toContain('scratch_notebook_scratchpads_current 0');
  clock.advance(2_000);
  await close();
  const lines = await scrape();
  expect(lines).toContainEqual(expect.stringMatching(/^scratch_notebook_uptime_seconds /));
  expect(lines.filter((line) => line.includes('_current'))).toEqual([]);
  expect(log.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
});
