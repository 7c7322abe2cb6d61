/**
 * Runs as a separate process: `<store> <tenant> <count>` tracks one instruction that many times and prints each count.
 */
import { writeSync } from 'node:fs';
import { toTenantId } from '#kernel/call.ts';
import { systemClock } from '#kernel/clock/clock.ts';
import { createFeatures } from '#kernel/features/features.ts';
import { createIds } from '#kernel/ids/ids.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { silentLog } from '#kernel/log/log.ts';
import { openPostgres } from '#kernel/storage/postgres/open.ts';
import { openSqlite } from '#kernel/storage/sqlite/open.ts';
import { migrations } from '#migrations/all.ts';
import { auditKey } from '#tests/contract/storage/engine.ts';
import { createEntry, createMemoryCatalog } from '../catalog/memory-catalog.fixture.ts';
import { createUsage } from './usage.ts';

const [, , at = '', tenant = '', count = ''] = process.argv;
const options = { migrations, clock: systemClock, log: silentLog, auditKey };
const storage = at.startsWith('postgres')
  ? await openPostgres({ ...options, url: at })
  : openSqlite({ ...options, file: at });
const serving = { flush: async () => {} };
const usage = createUsage({
  storage,
  serving,
  records: { remarksOf: async () => new Map() },
  catalog: createMemoryCatalog(createEntry({ id: 'shared' })),
  features: createFeatures(undefined),
  ids: createIds(systemClock),
  isLimited: false,
  isClamped: true,
});
for (let i = 0; i < Number(count); i += 1) {
  const call = systemCall('usage/track', { tenant: toTenantId(tenant), deadlineAt: Date.now() + 300_000 });
  const { usageCount } = await usage.track({ id: 'shared' }, call);
  writeSync(2, `${usageCount}\n`);
}
await storage.close();
