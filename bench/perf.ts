import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localTenant } from '#kernel/call.ts';
import { systemClock } from '#kernel/clock/clock.ts';
import { createIds } from '#kernel/ids/ids.ts';
import { createLeases } from '#kernel/jobs/leases.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { silentLog } from '#kernel/log/log.ts';
import { defineCollection } from '#kernel/search/collection.ts';
import { createSearchIndex } from '#kernel/search/search-index.ts';
import { openSqlite } from '#kernel/storage/sqlite/open.ts';
import { migrations } from '#migrations/all.ts';

/** `npm run perf`: search over catalogs of three sizes; prints JSON with the 95th percentile and the maximum. */
const sizes = [100, 1_000, 5_000];
const queryCount = 300;
const words =
  'review commit branch test deploy secret rotate style naming retry timeout schema migrate rollback alert owner'.split(
    ' ',
  );

const wordAt = (n: number): string => words[n % words.length] ?? '';
const bodyOf = (n: number): string =>
  Array.from({ length: 60 }, (_, i) => `${wordAt(n * 7 + i * 3)}${(n * i) % 40}`).join(' ');

async function measure(size: number): Promise<{ entries: number; p95Ms: number; maxMs: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'fourfold-perf-'));
  const storage = openSqlite({
    file: join(folder, 'perf.db'),
    migrations,
    clock: systemClock,
    log: silentLog,
    auditKey: Buffer.alloc(32),
  });
  const ids = createIds(systemClock);
  const leases = createLeases({ storage, clock: systemClock, ids });
  const index = createSearchIndex({ storage, leases, clock: systemClock, ids, log: silentLog });
  const collection = defineCollection({ name: 'perf', fields: { title: 3, body: 1 }, title: 'title' });
  const call = systemCall('perf');
  const documents = Array.from({ length: size }, (_, n) => ({
    id: `entry-${n}`,
    fields: { title: `${wordAt(n)} ${wordAt(n >> 2)} ${n}`, body: bodyOf(n) },
  }));
  for (let at = 0; at < size; at += 100) {
    await storage.write(call, function* (db) {
      yield* index.put(db, collection, ...documents.slice(at, at + 100));
    });
  }
  await index.maintain(localTenant, collection);
  const times: number[] = [];
  for (let n = 0; n < queryCount; n += 1) {
    const startedAt = performance.now();
    await index.search(call, collection, { text: `${wordAt(n)} ${wordAt(n * 3)}${n % 40}`, limit: 10 });
    times.push(performance.now() - startedAt);
  }
  await index.close();
  await storage.close();
  rmSync(folder, { recursive: true, force: true });
  const sorted = times.slice(20).sort((a, b) => a - b);
  return { entries: size, p95Ms: sorted[Math.floor(sorted.length * 0.95)] ?? 0, maxMs: sorted.at(-1) ?? 0 };
}

const results = [];
for (const size of sizes) results.push(await measure(size));
process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
